import type { PlanDocument } from '../../../contract/dto/plan'
import type { ParityDisc } from '../../../domain/sets/protection/setParity'
import { withFigures } from '../../../primitives/figureLanguage'
import type { Language } from '../../../primitives/languages'
import { DISC_TEXTS } from '../volume/lists/discTexts'
import { PARITY_LIST, type ParityRow, parityName } from '../volume/lists/parityTsv'

type ReadmePlan = Pick<PlanDocument, 'id' | 'language' | 'createdWallMs'>

/**
 * The readme of a parity disc, for a person who finds it; in another language than English, that
 * text comes before the English one.
 * @param folder Stowage's own on it
 */
export function parityReadme(
  plan: ReadmePlan,
  disc: Pick<ParityDisc, 'kind' | 'label'>,
  rows: readonly ParityRow[],
  folder: string,
): string {
  const { language = 'en' } = plan
  const english = readmeIn('en', plan, disc, rows, folder)
  if (language === 'en') return english
  return [readmeIn(language, plan, disc, rows, folder), `${'-'.repeat(80)}\n`, english].join('\n')
}

function readmeIn(
  language: Language,
  { id, createdWallMs }: ReadmePlan,
  { kind, label }: Pick<ParityDisc, 'kind' | 'label'>,
  rows: readonly ParityRow[],
  folder: string,
): string {
  return withFigures(language, () => {
    const { say } = DISC_TEXTS[language]
    const images = rows.filter((row) => row.kind === 'image')
    const hasBoth = rows.length - images.length > 1 ? 'yes' : 'no'
    // In UTC, as in the readmes of volumes.
    const date = new Date(createdWallMs).toISOString().slice(0, 10)
    return [
      say('parity.title', { label, images: images.length, date }),
      say('readme.plan', { id }),
      '',
      say('parity.use', { hasBoth }),
      say('parity.volumes', { labels: images.map((row) => row.label).join(', ') }),
      say('parity.stowage'),
      '',
      say('parity.files', { folder, list: PARITY_LIST, name: parityName(kind), kind }),
      '',
    ].join('\n')
  })
}
