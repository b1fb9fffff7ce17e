import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { RESTORED_NAMES } from '../../../domain/sets/naming/targetNames'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { attemptAtOnce, cannot, fsPath, joinPath, lstatAt } from '../../files/fileSystem'
import { digestHex } from '../../files/read'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { hashRanges } from '../../native/addon'
import type { IndexRow } from '../volume/lists/setIndex'
import { NONE_SKIPPED } from '../volume/lists/skippedList'
import type { OpenSet } from '../volume/open/openSet'
import { restoredNamesOf } from './restoredNames'

/**
 * Opens a folder that was restored to a disk with other names, as the only volume of a set whose
 * entries have the names that its `RESTORED-NAMES.tsv` lists. All files are read for their digests.
 * @throws AppError `not-found` without such a list, `bad-input` for a damaged one, `cancelled`, …
 */
export async function openRenamed(root: string, signal: AbortSignal): Promise<OpenSet> {
  if (lstatAt(joinPath(root, RESTORED_NAMES)) === null)
    throw cannot('not-found', 'read the names of', root, said`it has no ${RESTORED_NAMES}`)
  const names = await restoredNamesOf(root)
  const originals = new Map(names.map(({ restored, original }) => [restored, original]))
  const lost = names.filter(({ restored }) => restored === '')
  const places = new Map<string, { file: string; bytes: number }>()
  const rows: IndexRow[] = []
  for (const { original, target } of lost) rows.push({ kind: 'symlink', ...NO_FACTS, path: original, target })
  const files: Omit<IndexRow & { kind: 'file' }, 'sha256'>[] = []
  const pause = pausing(() => throwIfAborted(signal))
  const folders = [{ restored: '', original: '' }]
  for (const folder of folders) {
    const at = joinPath(root, folder.restored)
    const entries = attemptAtOnce('read', at, () => readdirSync(fsPath(at), { encoding: 'buffer' }))
    for (const entry of entries) {
      await pause()
      const restored = joinPath(folder.restored, pathFromBytes(entry))
      if (restored === RESTORED_NAMES) continue
      const file = joinPath(root, restored)
      const path = originals.get(restored) ?? joinPath(folder.original, pathFromBytes(entry))
      const stats = attemptAtOnce('read', file, () => lstatSync(fsPath(file), { bigint: true }))
      const facts = { ...NO_FACTS, path, mode: Number(stats.mode & 0o777n), mtimeNs: stats.mtimeNs }
      if (stats.isDirectory()) {
        folders.push({ restored, original: path })
        rows.push({ kind: 'folder', ...facts })
      } else if (stats.isSymbolicLink()) {
        const target = pathFromBytes(readlinkSync(fsPath(file), { encoding: 'buffer' }))
        rows.push({ kind: 'symlink', ...facts, target })
      } else if (stats.isFile()) {
        const bytes = Number(stats.size)
        places.set(path, { file, bytes })
        files.push({ kind: 'file', ...facts, bytes, sector: null, linkOf: null, holes: false, packed: null })
      }
    }
  }
  const ranges = files.map(({ path, bytes }) => ({
    path: places.get(path)?.file ?? '',
    offset: 0,
    length: bytes,
  }))
  const { sha256, errors } = await hashRanges(ranges, { signal })
  const damaged: OpenSet['damaged'][number][] = []
  for (const [at, file] of files.entries()) {
    const error = errors.get(at)
    const path = ranges[at]?.path ?? ''
    if (error) damaged.push({ path, error: new AppError(error.code, error.message, { path }) })
    else rows.push({ ...file, sha256: digestHex(sha256, at) })
  }
  const label = pathForDisplay(root)
  const index = { id: '', rows, unreadable: [], volumes: [{ index: 1, label }] }
  const volume = {
    path: root,
    folder: root,
    own: '',
    index,
    skipped: NONE_SKIPPED,
    number: 1,
    encryptedIndex: null,
    damagedFolders: () => null,
    placeOf: async (path: string) => {
      const place = places.get(path)
      return place === undefined ? null : { ...place, offset: 0 }
    },
  }
  return { volumes: [volume], index, damaged, mayBeNewer: [] }
}

const NO_FACTS = {
  volume: 1,
  label: '',
  mode: null,
  mtimeNs: null,
  owner: null,
  attributes: [],
  method: null,
} as const
