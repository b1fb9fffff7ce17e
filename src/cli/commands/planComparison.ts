import { mostSpread, type PackingAlternative, type PlanComparison } from '../../contract/dto/plan'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { EXIT } from '../../primitives/exitCode'
import { formatCount, formatCounted, formatShare } from '../../primitives/quantity'
import { nextCommand } from '../shape/nextCommand'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

/** The words of each order in a sentence. */
const ORDERS = {
  size: 'fewest volumes',
  folders: 'folders together',
  name: 'by name',
  date: 'by date',
} as const

/** Fills of volumes that a row names at most. */
const FILLS_SHOWN = 4

/**
 * Prints what the plans of a survey would be in each order of filling the volumes.
 * @param repeated the options of the command that hold for a plan too
 */
export function printComparison(
  comparison: PlanComparison,
  repeated: readonly string[],
  out: Terminal,
): number {
  out.document(comparison)
  const { alternatives, refused, medium, surveyId } = comparison
  const counts = alternatives.map(({ volumes }) => volumes)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const range = least === most ? formatCount(least) : `${formatCount(least)} to ${formatCount(most)}`
  out.lines(
    wrapped(`${range} × ${medium.name}, by the order in which they are filled. ${adviceOn(comparison)}`),
  )
  out.line()
  out.lines(ownTableLines(orderColumns(medium.capacitySectors), alternatives), '  ')
  for (const { order, message } of refused) out.note(`--order ${order}: ${message}`)
  out.line()
  for (const [at, { order }] of alternatives.entries()) {
    const label = at === 0 ? 'Next:' : '     '
    out.lines(
      nextCommand(label, ['plan', '--survey', surveyId, ...repeated, '--order', order, '--out', 'plan']),
    )
  }
  return EXIT.done
}

/** The cost of whole folders, which is what most people ask. */
function adviceOn({ alternatives, medium }: PlanComparison): string {
  const of = (order: PackingAlternative['order']): PackingAlternative | undefined =>
    alternatives.find((one) => one.order === order)
  const [fewest, whole] = [of('size'), of('folders')]
  if (!fewest || !whole) return ''
  const unit = medium.kind === 'folder' ? 'volume' : 'disc'
  const more = whole.volumes - fewest.volumes
  if (fewest.brokenFolders === 0)
    return `With the ${ORDERS.size} no folder that fits on a ${unit} is divided.`
  if (whole.brokenFolders >= fewest.brokenFolders) return ''
  const saved = formatCounted(fewest.brokenFolders - whole.brokenFolders, 'folder')
  return more <= 0
    ? `Whole folders take no more of them, and ${saved} fewer are divided.`
    : `Whole folders take ${formatCounted(more, unit)} more, and ${saved} fewer are divided.`
}

function orderColumns(capacitySectors: number): readonly TableColumn<PackingAlternative, string>[] {
  return [
    { heading: 'order', kind: 'code', of: ({ order }) => order },
    { heading: 'discs', kind: 'count', of: ({ volumes }) => volumes, mark: 'modelled' },
    { heading: 'broken folders', kind: 'count', of: ({ brokenFolders }) => brokenFolders },
    { heading: 'free', kind: 'bytes', of: ({ freeBytes }) => freeBytes },
    { heading: 'most spread year', kind: 'words', of: yearText },
    { heading: 'full', kind: 'words', of: (one) => fillText(one, capacitySectors) },
  ]
}

function yearText(one: PackingAlternative): string {
  const spread = mostSpread(one)
  return spread === null ? '' : `${spread.year} on ${formatCount(spread.volumes)}`
}

function fillText({ sectors }: PackingAlternative, capacitySectors: number): string {
  const fills = sectors.map((used) => formatShare(used / capacitySectors))
  if (fills.length <= FILLS_SHOWN) return fills.join(', ')
  return `${fills.slice(0, FILLS_SHOWN - 1).join(', ')} … ${fills.at(-1)}`
}
