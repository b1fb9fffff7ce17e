import {
  DISK_MEDIUM,
  OPTION_FIGURES,
  type Option,
  type OptionFigure,
  type OptionsDocument,
} from '../../../../src/contract/dto/options'
import { optionTable } from '../../../../src/contract/tables/optionTables'
import type { Units } from '../../../../src/primitives/quantity'
import { shapeOf } from '../../charts/paretoPicture'
import type { Column } from '../../components/DataTable'
import { columnsOf, type Shown } from '../../components/declaredColumns'
import { OptionName } from '../../components/OptionName'
import { t } from '../../copy'
import { readsWords, shortReaders } from './candidates/candidateWords'
import { FamilyMark } from './candidates/FamilyMark'
import { InlineFigure } from './OptionFigure'
import { beatenWords, breaksWords, mostBeatenWords, standingWord } from './optionWords'

/** The height of a row of options: a name in two lines, and what beats it in three small ones. */
export const OPTION_ROW_PX = 50

/** A value with its unit, range and mark. */
const FIGURE_TRACK = '136px'

/** The columns of the table of options; `chosen` stands out among them. */
export function optionColumns(
  document: OptionsDocument,
  chosen: Option | null,
  units: Units,
): Column<Option>[] {
  return columnsOf(optionTable(document.source.bytes), units, {
    name: {
      track: 'minmax(27ch, 2fr)',
      cell: (option) => (
        <span className={option === chosen ? 'option-name option-chosen' : 'option-name'}>
          <FamilyMark shape={shapeOf(option.family)} />
          <OptionName name={option.name} />
        </span>
      ),
    },
    bytes: shownFigure(document, 'bytes', units, true),
    // In one volume on a disk every row has the same: the column would only take room.
    ...(document.options.some(({ medium }) => medium !== DISK_MEDIUM) && {
      volumes: {
        track: '84px',
        cell: (option: Option) => (
          <span className="lines">
            <InlineFigure option={option} figure="volumes" units={units} hasRange={false} isTabStop={false} />
            <span className="small muted">{option.mediumName}</span>
          </span>
        ),
        // Its cells name the medium too.
        isForComparing: new Set(document.options.map(({ medium }) => medium)).size === 1,
      },
    }),
    restoreSeconds: shownFigure(document, 'restoreSeconds', units, true),
    buildSeconds: shownFigure(document, 'buildSeconds', units, true),
    ramBytes: { ...shownFigure(document, 'ramBytes', units, false), track: '10ch' },
    portability: {
      isForComparing: true,
      track: 'minmax(92px, 1fr)',
      align: 'start',
      cell: (option) => <span title={readsWords(option)}>{shortReaders(option)}</span>,
    },
    standing: {
      track: 'minmax(150px, 2fr)',
      cell: (option) => <Standing option={option} document={document} />,
      sortBy: (option) => (option.breaks.length > 0 ? 3 : option.pareto ? 0 : option.beatenBy ? 1 : 2),
    },
  })
}

const CSV_COLUMNS = [
  'id',
  'name',
  'family',
  'variant',
  'medium',
  'encryption',
  'protection',
  ...OPTION_FIGURES,
  'portability',
  'score',
  'front',
  'breaks',
  'beaten_by',
] as const

/** The columns of the CSV of options: every figure with its range and its provenance. */
export function optionsCsv(document: OptionsDocument): Pick<Column<Option>, 'csv'>[] {
  return columnsOf(optionTable(document.source.bytes), 'decimal', {
    ...Object.fromEntries(CSV_COLUMNS.map((key) => [key, ''])),
    beaten_how: { track: '', say: (option) => beatenWords(option, document) ?? '' },
  })
}

function shownFigure(
  { options }: OptionsDocument,
  figure: OptionFigure,
  units: Units,
  hasRange: boolean,
): Shown<Option> {
  const [mark, ...others] = new Set(options.map(({ estimate }) => estimate[figure].provenance))
  const isOfAll = others.length === 0
  return {
    isForComparing: true,
    ...(isOfAll && { mark }),
    track: FIGURE_TRACK,
    cell: (option) => (
      <InlineFigure
        option={option}
        figure={figure}
        units={units}
        hasRange={hasRange}
        isTabStop={false}
        isMarked={!isOfAll}
      />
    ),
  }
}

function Standing({ option, document }: { option: Option; document: OptionsDocument }) {
  if (option.breaks.length > 0) {
    const words = t('standing.breaks', { limits: breaksWords(option.breaks) })
    return <span className="lines small warn">{words}</span>
  }
  return (
    <span className="lines small muted" title={beatenWords(option, document) ?? undefined}>
      {mostBeatenWords(option, document) ?? standingWord(option)}
    </span>
  )
}
