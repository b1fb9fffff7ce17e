import type { ProtectionComparison, ProtectionLevel, ProtectionRow } from '../../contract/dto/plan'
import { PROTECTION_TABLE, protectionText } from '../../contract/tables/planTables'
import { protectionWord } from '../../domain/sets/protection/protectionChoice'
import { EXIT } from '../../primitives/exitCode'
import { formatCounted } from '../../primitives/quantity'
import { nextCommand } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { tableLines } from '../shape/tableLines'
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
  const scratch_bytes = ({ survives }: ProtectionRow): string =>
    survives.scratchBytes === 0 ? '' : formatSize(survives.scratchBytes)
  const keys = Object.keys(PROTECTION_TABLE) as (keyof typeof PROTECTION_TABLE)[]
  out.lines(tableLines(PROTECTION_TABLE, keys, rows, { cells: { scratch_bytes } }), '  ')
  out.lines(
    wrapped(
      `Damaged sectors may be anywhere in the files of each disc, a scratch anywhere on it; of lost discs nothing can be read.`,
    ),
  )
  for (const { message, ...level } of refused) out.note(`${protectionText(level)}: ${message}`)
  out.line()
  const plan = ['plan', '--survey', surveyId, ...repeated]
  for (const [at, row] of rows.entries())
    out.lines(nextCommand(at === 0 ? 'Next:' : '     ', plan.concat(optionsOf(row), '--out', 'plan')))
  return EXIT.done
}

function optionsOf({ protection, parityDiscs, copies }: ProtectionLevel): string[] {
  return [
    '--protect',
    protectionWord(protection),
    ...(parityDiscs === 0 ? [] : ['--protect-set', String(parityDiscs)]),
    ...(copies === 1 ? [] : ['--copies', String(copies)]),
  ]
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
      : `${protectionText(best)} costs no disc and survives a scratch of ${formatSize(best.survives.scratchBytes)} on each.`,
    parity ? `${formatCounted(parity.extraVolumes, 'disc')} more, and any one disc may be lost.` : '',
  ]
    .join(' ')
    .trim()
}
