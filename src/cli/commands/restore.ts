import type { RestoreDocument } from '../../contract/dto/restore'
import { damagedFoldersLine } from '../../domain/sets/damagedFolders'
import { absolutePath } from '../../files/absolutePath'
import { AppError, type WireError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { placesNamed } from '../archives'
import { readArguments } from '../arguments'
import { RESTORE } from '../declarations/sets'
import { withPassword } from '../passwords'
import { openSession } from '../session'
import { firstRows } from '../shape/firstRows'
import { formatSize } from '../shape/sizes'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { listedFiles } from './listedFiles'
import { listVolumes } from './restoreQueue'

/** More files of one kind are counted, not listed. */
const LISTED = 5

export async function restoreCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, RESTORE)
  if (values['list-volumes']) return listVolumes(values, positionals, out)
  if (values.all) throw new AppError('usage', '--all goes with --list-volumes')
  const renamed = values['original-names']
  if (renamed !== undefined && positionals.length > 0)
    throw new AppError('usage', 'give volumes or --original-names DIR, not both')
  const given = renamed === undefined ? positionals : [renamed]
  if (given.length === 0) {
    throw new AppError('usage', 'give a plan folder, an image or a mounted disc')
  }
  if (values.to === undefined) throw new AppError('usage', '--to DIR is missing')
  const to = absolutePath(values.to)
  const listed = await listedFiles(values)
  const volumes = await placesNamed(given, out)
  await using session = openSession(out, { canDoWithout: true })
  const show = async (restoreId: string): Promise<RestoreDocument> => {
    const document = await session.engine.restore.get({ restoreId })
    out.document(document)
    printRestore(document, out)
    return document
  }
  const {
    outcome,
    untrusted,
    linksLeft,
    skipped = [],
  } = await withPassword(values, volumes[0] ?? '', async (password) => {
    const request = {
      volumes,
      to,
      files: values.files ?? [],
      listed,
      force: values.force,
      trust: values.trust,
      originalNames: renamed !== undefined,
      password,
      ...(values['as-of'] === undefined ? {} : { asOf: values['as-of'] }),
    }
    const keep = async (kept: string): Promise<void> => {
      await show(kept)
    }
    return show(await session.run(() => session.engine.restore.start(request), keep))
  })
  return outcome === 'incomplete' || untrusted > 0 || linksLeft > 0 || skipped.length > 0
    ? EXIT.doneWithSkips
    : EXIT.done
}

/** A restore as a person reads it: the conclusion, then what is left to do. */
export function printRestore(document: RestoreDocument, out: Terminal): void {
  const { restored, kept, files, volumesNeeded, damaged, missing, differing, notes } = document
  const { ownersLeft, notPutBack } = document
  const place = pathForDisplay(document.directory)
  const took = formatDuration(document.elapsedMs)
  const already = kept === 0 ? '' : `; ${formatCount(kept)} already existed`
  const isNothingNew = restored === 0 && kept > 0
  const done = isNothingNew
    ? `${formatCounted(kept, 'file')} already existed in ${place}; nothing had to be restored.`
    : `Restored ${formatCounted(restored, 'file')} (${formatSize(document.restoredBytes)}) to ${place} in ${took}, ` +
      `each checked by SHA-256${already}.`
  out.lines(wrapped(done, '  '))
  out.lines(generationLines(document))
  const mended = firstRows(document.repairedFiles ?? [], LISTED, '--json')
  if (document.repaired > 0)
    out.line(`  ${formatCounted(document.repaired, 'file')} came back by recovery data:`)
  for (const path of mended.shown) out.line(`    ${pathForDisplay(path)}`)
  out.lines(mended.rest, '    ')
  const discs = firstRows(volumesNeeded, LISTED, '--json')
  for (const { index, label, files: count, bytes } of discs.shown) {
    out.line(
      `  Disc ${index} (${label}) is needed for ${formatCounted(count, 'file')}, ${formatSize(bytes)}.`,
    )
  }
  out.lines(discs.rest, '  ')
  if (document.hasParity && volumesNeeded.length > 0)
    out.lines(
      wrapped(
        'A disc that is lost can be made again from the others and the parity disc: stowage rebuild DISC... --out IMAGE',
        '  ',
      ),
    )
  for (const folders of document.damagedFolders ?? [])
    out.notes(wrapped(`  ${pathForDisplay(damagedFoldersLine(folders))}.`, '  '))
  const lists: (readonly { readonly error: WireError }[])[] = [
    document.damagedLists,
    damaged,
    missing,
    document.skipped ?? [],
    differing,
    notPutBack,
  ]
  for (const list of lists) {
    const listed = firstRows(list, LISTED, '--json')
    for (const { error } of listed.shown) out.note(`  ${pathForDisplay(error.message)}`)
    out.notes(listed.rest, '  ')
  }
  if (document.untrusted > 0) {
    const rights = formatCounted(document.untrusted, 'right')
    out.notes(
      wrapped(`  ${rights} of programs (setuid, setgid, capabilities) were not put back: add --trust.`, '  '),
    )
  }
  if (ownersLeft > 0) {
    const others = `${formatCounted(ownersLeft, 'file')} or folders of other users`
    out.notes(wrapped(`  Owners are not restored (${others}): only root can give files away.`, '  '))
  }
  if (document.renamed > 0) {
    const names = formatCounted(document.renamed, 'name')
    out.notes(wrapped(`  ${names} changed, as the disk cannot hold them: see RESTORED-NAMES.tsv.`, '  '))
  }
  if (document.linksLeft > 0) {
    const links = formatCounted(document.linksLeft, 'symbolic link')
    out.notes(wrapped(`  ${links} left out: the disk has none; see RESTORED-NAMES.tsv.`, '  '))
  }
  for (const note of notes) out.notes(wrapped(`  ${note}`, '  '))
  if (volumesNeeded.length > 0) {
    out.line('Run the same command with those discs to continue; restored files are kept.')
  } else if (document.outcome === 'done' && restored + kept === files) {
    out.line(allRestored(files))
  }
}

/** The generation whose files were wanted, and newer ones that are known or possible. */
function generationLines({ generation, newestGeneration, mayBeNewer = [] }: RestoreDocument): string[] {
  if (generation === undefined) return []
  const newer = newestGeneration === undefined ? '' : ` The newest is generation ${newestGeneration}.`
  const unread =
    mayBeNewer.length === 0
      ? ''
      : ` A newer one may be on ${mayBeNewer.map(pathForDisplay).join(', ')}: no list on it can be read.`
  return wrapped(`  The files are those of generation ${generation}.${newer}${unread}`, '  ')
}

function allRestored(files: number): string {
  return files === 1
    ? 'The requested file is restored.'
    : `All ${formatCount(files)} requested files are restored.`
}
