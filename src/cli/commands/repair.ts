import type { RepairDocument } from '../../contract/dto/repair'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCounted } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { onlyPositional, readArguments } from '../arguments'
import { REPAIR } from '../declarations/sets'
import { openSession } from '../session'
import { firstRows } from '../shape/firstRows'
import { nextCommand, typedPath } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

/** For images of which something cannot be known. */
const OTHER_BYTES =
  '  Some bytes outside of its files may not be as they were: parity of its set does not fit them then.'

/** More files are counted, not listed. */
const LISTED = 10

export async function repairCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, REPAIR)
  const volume = absolutePath(onlyPositional(positionals, 'image or device'))
  if (values.out === undefined) throw new AppError('usage', '--out IMAGE is missing')
  const image = absolutePath(values.out)
  await using session = openSession(out, { canDoWithout: true })
  const { force } = values
  const parity = values.parity === undefined ? undefined : absolutePath(values.parity)
  const repairId = await session.run(() => session.engine.repair.start({ volume, image, force, parity }))
  const document = await session.engine.repair.get({ repairId })
  out.document(document)
  printRepair(document, out)
  return EXIT.done
}

function printRepair(document: RepairDocument, out: Terminal): void {
  const { label, image, bytes, files, repaired, remade, elapsedMs, notes, isAsMade } = document
  const made = isAsMade ? `a whole image of ${label}` : `an image with all files of ${label}`
  const done = `Made ${pathForDisplay(image)} (${formatSize(bytes)}), ${made}, in ${formatDuration(elapsedMs)}: all ${formatCounted(files, 'file')} on it were read back and compared by SHA-256.`
  out.lines(wrapped(done, '  '))
  for (const [paths, text] of [
    [repaired, 'given back by recovery data'],
    [remade, 'made again'],
  ] as const) {
    if (paths.length === 0) continue
    out.line(`  ${formatCounted(paths.length, 'file')} ${text}:`)
    const { shown, rest } = firstRows(paths, LISTED, '--json')
    for (const path of shown) out.line(`    ${pathForDisplay(path)}`)
    out.lines(rest, '    ')
  }
  if (repaired.length + remade.length === 0) out.line('  Its folders were made again; no file was damaged.')
  if (!isAsMade) out.notes(wrapped(OTHER_BYTES, '  '))
  for (const note of notes) out.notes(wrapped(`  ${note}`, '  '))
  out.lines(nextCommand('Next, to check it once more:', ['verify', typedPath(image)]))
}
