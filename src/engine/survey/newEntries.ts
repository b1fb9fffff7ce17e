import type { Bytes } from '../../primitives/bytes'
import type { EntryKind, NewEntry } from '../catalog/entry'
import { CELL_BYTES, type EntryCells, NOT_HERE } from '../catalog/entryCells'
import { type EntryBatch, NO_FILE_NUMBER } from '../native/addon'
import type { CarryOver } from './carryOver'

const KINDS: readonly EntryKind[] = ['file', 'folder', 'symlink', 'hardLink']

/**
 * The entries `from` (included) to `to` of a batch, of which the catalog takes those that their
 * cells describe completely.
 */
export function entryCells(batch: EntryBatch, from: number, to: number, firstId: number): EntryCells {
  const pathsFrom = from === 0 ? 0 : (batch.pathEnds[from - 1] ?? 0)
  return {
    firstId: firstId + from,
    count: to - from,
    cells: batch.cells.subarray(from * CELL_BYTES, to * CELL_BYTES),
    paths: batch.pathBytes.subarray(pathsFrom, batch.pathEnds[to - 1]),
    pathsFrom,
    digests: batch.digests.subarray(from * 16, to * 16),
    sha256: batch.sha256?.subarray(from * 32, to * 32) ?? null,
  }
}

/**
 * The others among the same entries, one by one: symbolic links and unchanged files. Those that
 * were skipped are left out.
 */
export function* newEntries(
  batch: EntryBatch,
  from: number,
  to: number,
  firstId: number,
  ledger: CarryOver,
): IterableIterator<NewEntry> {
  for (let index = from; index < to; index++) {
    const kind = KINDS[batch.kinds[index] ?? -1]
    if (kind === undefined || batch.cells[index * CELL_BYTES] !== NOT_HERE) continue
    const path = batch.pathBytes.subarray(index === 0 ? 0 : batch.pathEnds[index - 1], batch.pathEnds[index])
    const isFile = kind === 'file'
    const trustedEntry = ledger.earlierEntryOf(batch, index)
    const fileNumber = batch.fileNumbers[index] ?? NO_FILE_NUMBER
    yield {
      id: firstId + index,
      kind,
      rootIndex: batch.rootIndex[index] ?? 0,
      path,
      bytes: (batch.bytes[index] ?? 0) as Bytes,
      allocatedBytes: (batch.allocatedBytes[index] ?? 0) as Bytes,
      mtimeNs: batch.mtimeNs[index] ?? 0n,
      ctimeNs: batch.ctimeNs[index] ?? 0n,
      device: batch.device[index] ?? 0n,
      inode: batch.inode[index] ?? 0n,
      mode: batch.mode[index] ?? 0,
      digest: isFile ? ledger.digestOf(batch, index) : null,
      sha256:
        isFile && batch.sha256 && trustedEntry === undefined
          ? batch.sha256.subarray(index * 32, index * 32 + 32)
          : null,
      linkTarget: batch.linkTargets.get(index) ?? null,
      ...(trustedEntry !== undefined && { trustedEntry }),
      ...(isFile && fileNumber !== NO_FILE_NUMBER && { fileNumber }),
    }
  }
}
