import type { ProtectionComparison, ProtectionLevel, ProtectionRow } from '../../contract/dto/plan'
import { protectionWord } from '../../domain/sets/protection/protectionChoice'
import type { Estimate } from '../../primitives/estimate'
import { EXIT } from '../../primitives/exitCode'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatSpan } from '../../primitives/spokenTime'
import { nextCommand } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { textTable } from '../shape/textTable'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

/**
 * Prints what each level of protection survives, and at what cost.
 * @param repeated the options of the command that hold for a plan too, without `--protect`
 */
export function printProtection(
  comparison: ProtectionComparison,
  repeated: readonly string[],
  out: Terminal,
): number {
  out.document(comparison)
  const { rows, refused, surveyId } = comparison
  out.lines(wrapped(adviceOn(comparison)))
  out.line()
  const header = [
    'protection',
    'damaged sectors',
    'scratch',
    'lost discs',
    'space ■',
    'discs ■',
    'CPU time ◐',
    'writing ◐',
  ]
  const cells = rows.map((row) => [
    levelText(row),
    sectorsText(row),
    row.survives.scratchBytes === 0 ? '' : formatSize(row.survives.scratchBytes),
    formatCount(row.survives.discs),
    formatSize(row.bytes),
    row.extraVolumes === 0 ? formatCount(row.volumes) : `${formatCount(row.volumes)} (+${row.extraVolumes})`,
    more(row.cpuSeconds),
    more(row.writeSeconds),
  ])
  out.lines(textTable(header, cells, [1, 2, 3, 4, 5, 6, 7]), '  ')
  out.lines(
    wrapped(
      `Damaged sectors may be anywhere in the files of each disc, a scratch anywhere on it; of lost discs nothing can be read.`,
    ),
  )
  for (const { message, ...level } of refused) out.note(`${levelText(level)}: ${message}`)
  out.line()
  const plan = ['plan', '--survey', surveyId, ...repeated]
  for (const [at, row] of rows.entries())
    out.lines(nextCommand(at === 0 ? 'Next:' : '     ', plan.concat(optionsOf(row), '--out', 'plan')))
  return EXIT.done
}

/** Discs that are too full for recovery data are named, as nothing on them can be repaired. */
function sectorsText({ survives, unprotectedVolumes, protection }: ProtectionRow): string {
  return protection === 'none' || unprotectedVolumes === 0
    ? formatCount(survives.sectors)
    : `0 on ${formatCounted(unprotectedVolumes, 'full disc')}`
}

/** `10%`, `fill + 1 parity disc`, `fill, second copy`. */
function levelText({ protection, parityDiscs, copies }: ProtectionLevel): string {
  const word = protectionWord(protection)
  if (copies > 1) return `${word}, second copy`
  return parityDiscs === 0 ? word : `${word} + ${formatCounted(parityDiscs, 'parity disc')}`
}

function optionsOf({ protection, parityDiscs, copies }: ProtectionLevel): string[] {
  return [
    '--protect',
    protectionWord(protection),
    ...(parityDiscs === 0 ? [] : ['--protect-set', String(parityDiscs)]),
    ...(copies === 1 ? [] : ['--copies', String(copies)]),
  ]
}

function more(time: Estimate): string {
  return time.high <= 0 ? '' : `+ ${formatSpan(time)}`
}

/** The most that costs no disc, and the discs that the next step costs. */
function adviceOn({ rows, medium }: ProtectionComparison): string {
  const free = rows.filter(({ extraVolumes, survives }) => extraVolumes === 0 && survives.sectors > 0)
  const best = free.reduce<ProtectionRow | null>(
    (most, row) => (most === null || row.survives.scratchBytes > most.survives.scratchBytes ? row : most),
    null,
  )
  const parity = rows.find(({ parityDiscs }) => parityDiscs === 1)
  return [
    best === null
      ? `No level of recovery data goes without a further ${medium.name}.`
      : `${levelText(best)} costs no disc and survives a scratch of ${formatSize(best.survives.scratchBytes)} on each.`,
    parity ? `${formatCounted(parity.extraVolumes, 'disc')} more, and any one disc may be lost.` : '',
  ]
    .join(' ')
    .trim()
}
