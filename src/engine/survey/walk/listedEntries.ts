import { bytes } from '../../../primitives/bytes'
import type { EntryKind, SurveyEntry } from '../../catalog/entry'
import type { Pause } from '../../jobs/slowly'
import { type EntryBatch, entryPath, NATIVE_KIND } from '../../native/addon'
import { type SourceEntries, sourceEntries } from '../sourceEntries'
import { type ListedSource, listSource } from './listSource'

const KINDS: Readonly<Record<number, EntryKind>> = {
  [NATIVE_KIND.file]: 'file',
  [NATIVE_KIND.folder]: 'folder',
  [NATIVE_KIND.symlink]: 'symlink',
  [NATIVE_KIND.hardLink]: 'hardLink',
}

/**
 * The entries of a source as a survey would find them now, without digests: it is listed, and no
 * file is read. Memory grows with the number of entries.
 * @throws AppError as `pause` does
 */
export async function listedEntries(source: ListedSource, pause: Pause): Promise<SourceEntries> {
  const entries: SurveyEntry[] = []
  await listSource(source, pause, (batch) => take(batch, entries))
  return sourceEntries(source.roots, withLinks(entries))
}

function take(batch: EntryBatch, entries: SurveyEntry[]): void {
  for (let index = 0; index < batch.count; index++) {
    const kind = KINDS[batch.kinds[index] as number]
    if (kind === undefined) continue
    entries.push({
      id: entries.length + 1,
      kind,
      rootIndex: batch.rootIndex[index] as number,
      path: entryPath(batch, index),
      bytes: bytes(batch.bytes[index] as number),
      allocatedBytes: bytes(batch.allocatedBytes[index] as number),
      mtimeNs: batch.mtimeNs[index] as bigint,
      ctimeNs: batch.ctimeNs[index] as bigint,
      device: batch.device[index] as bigint,
      inode: batch.inode[index] as bigint,
      mode: batch.mode[index] as number,
      digest: null,
      sha256: null,
      linkOf: null,
      linkTarget: batch.linkTargets.get(index) ?? null,
    })
  }
}

/** The same, each further name of a file with the ID of that file. */
function* withLinks(entries: readonly SurveyEntry[]): Generator<SurveyEntry> {
  const identity = ({ device, inode }: SurveyEntry): string => `${device}:${inode}`
  const linked = new Set(entries.filter(({ kind }) => kind === 'hardLink').map(identity))
  const files = new Map<string, number>()
  if (linked.size > 0)
    for (const entry of entries)
      if (entry.kind === 'file' && linked.has(identity(entry))) files.set(identity(entry), entry.id)
  for (const entry of entries) {
    if (entry.kind !== 'hardLink') yield entry
    else {
      // One whose first name could not be listed is the file itself.
      const linkOf = files.get(identity(entry))
      yield linkOf === undefined ? { ...entry, kind: 'file' } : { ...entry, linkOf }
    }
  }
}
