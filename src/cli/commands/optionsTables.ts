import type { NamedTable } from '../shape/namedTables'
import { textTable } from '../shape/textTable'
import { wrapped } from '../shape/wrapped'
import { candidateLines } from './candidates'
import type { OptionsView } from './optionsView'

/** What `options --table NAME` prints. */
export const OPTIONS_TABLES: Readonly<Record<string, NamedTable<OptionsView>>> = {
  candidates: candidateLines,

  goals: ({ document: { presets } }) =>
    presets.length === 0
      ? ['No option meets the limits, so there is none for any goal.']
      : [
          ...textTable(
            ['goal', 'option'],
            presets.map(({ goal, id }) => [goal, id]),
            [],
          ),
          ...presets.flatMap(({ goal, because }) => wrapped(`${goal}: ${because}`, '  ')),
        ],
}
