import costWords from '../../../assets/copy/en/cost.json' with { type: 'json' }
import { costText } from '../../contract/costText'
import { DISK_MEDIUM } from '../../contract/dto/options'
import { type DraftDocument, draftDocumentSchema } from '../../contract/dto/plan'
import type { Rules } from '../../contract/dto/survey'
import type { Price } from '../../domain/media/price'
import { messagesOf } from '../../language/messages'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import type { Session } from '../session'
import { MARKS } from '../shape/marks'
import { nextCommand } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { walkOf } from './lookedSource'
import { volumeLines } from './volumeLines'

const COST_WORDS = messagesOf('en', costWords)

const ORDERS = { size: 'larger folders first', name: 'by name', date: 'by date' } as const

/**
 * Lists folders and lays their files out on a medium as they are; no file is read.
 * @throws AppError `nothing-to-do` for folders without files, `cannot-fit`
 */
export async function draftOf(
  session: Session,
  paths: readonly string[],
  rules: Rules,
  { mediumId, prices }: { readonly mediumId: string; readonly prices: readonly Price[] },
): Promise<DraftDocument> {
  const walkId = await walkOf(session, paths, rules, false)
  return draftDocumentSchema.parse(
    await session.engine.plan.draft({ walkId, mediumId, ...(prices.length > 0 && { prices: [...prices] }) }),
  )
}

export function printDraft(draft: DraftDocument, paths: readonly string[], out: Terminal): void {
  const { totals, medium, volumes, filledBy, roots } = draft
  const show = (text: string, indent = '  '): void => out.lines(wrapped(text, indent))
  const isUndivided = medium.id === DISK_MEDIUM
  const on = isUndivided
    ? `in ${medium.name}`
    : `on ${formatCount(volumes.length)} × ${medium.name} ${MARKS.modelled}`
  const order = volumes.length > 1 ? `, filled ${ORDERS[filledBy]}` : ''
  const held = `${formatCounted(totals.files, 'file')}, ${formatSize(totals.bytes)}`
  out.lines(wrapped(`${roots.map(pathForDisplay).join(', ')}: ${held}, as they are ${on}${order}.`))
  const cost = costText(draft, COST_WORDS.say)
  if (cost !== null) show(cost)
  out.line()
  out.lines(volumeLines(draft, '--json', 'modelled'), '  ')
  if (totals.splitFiles > 0)
    show(`${formatCounted(totals.splitFiles, 'file')} larger than a volume: split into parts.`)
  out.line()
  show('A draft from names and sizes, no plan: nothing is built from it. (■ exact ◐ modelled)')
  out.lines(nextCommand('Next:', ['plan', ...paths, '--medium', medium.id]))
}
