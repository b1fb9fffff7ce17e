import type { TableColumn } from '../../contract/tables/declaredTable'
import type { FingerprintCheck } from '../../domain/fingerprints/fingerprintCheck'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { readArguments } from '../arguments'
import { SURVEY_FINGERPRINTS } from '../declarations/survey'
import { openSession } from '../session'
import { formatSize } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
import type { Terminal } from '../terminal'

/** `survey fingerprints`: checks the fingerprints of surveys, and shows what can be compared. */
export async function surveyFingerprintsCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { positionals } = readArguments(args, SURVEY_FINGERPRINTS)
  if (positionals.length === 0) throw new AppError('usage', 'give a folder of fingerprints')
  await using session = openSession(out)
  printFingerprints(await session.checkFingerprints(positionals.map((path) => absolutePath(path))), out)
  return EXIT.done
}

/** Prints the fingerprints of some surveys, and what of them can be compared. */
export function printFingerprints(check: FingerprintCheck, out: Terminal): void {
  out.document(check)
  const { surveys, schemes, key } = check
  for (const { id, folder, files, bytes, rows, tableBytes } of surveys)
    out.line(
      `${id}  ${pathForDisplay(folder)}: ${formatCounted(files, 'file')}, ${formatSize(bytes)}; ` +
        `${formatCounted(rows, 'row')}, ${formatSize(tableBytes)}`,
    )
  out.line()
  out.line(`  ${key === null ? 'hashes without a key' : `hashes with the key ${key}`}`)
  out.line()
  out.lines(ownTableLines(SCHEME_COLUMNS, schemes), '  ')
  const differing = schemes.filter(({ sharesDiffer }) => sharesDiffer)
  if (differing.length > 0)
    out.note(
      `the surveys kept different shares of ${differing.map(({ name }) => name).join(', ')}: ` +
        'they can be compared at the smaller one, which is shown',
    )
}

const SCHEME_COLUMNS: readonly TableColumn<FingerprintCheck['schemes'][number], string>[] = [
  { heading: 'scheme', kind: 'words', of: ({ name }) => name },
  {
    heading: 'share',
    kind: 'words',
    of: ({ shift }) => (shift === 0 ? '1' : `1/${formatCount(2 ** shift)}`),
  },
  { heading: 'surveys', kind: 'count', of: ({ surveys }) => surveys },
]
