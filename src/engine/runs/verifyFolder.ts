import { lstat, readdir, readlink } from 'node:fs/promises'
import type { PlanVolume } from '../../contract/dto/plan'
import { AppError } from '../../primitives/appError'
import { pathFromBytes } from '../../primitives/pathText'
import { fileFailure, fsPath, joinPath } from '../exporters/fileSystem'
import { throwIfAborted } from '../tools/runTool'
import { compareTrees, type Expected, type Found, mismatch } from './expectedTree'
import type { HashRanges } from './hashRanges'
import { type PlanFolder, placesOf } from './planFolder'
import type { ContentPlace, VolumeCheck } from './verifyImage'

/**
 * Reads a folder volume back and compares names, kinds, link targets and the digest of every file.
 * @throws AppError `not-found` when the folder is not there, `cancelled`
 */
export async function verifyFolder(
  folder: PlanFolder,
  volume: PlanVolume,
  hashRanges: HashRanges,
  expected: ReadonlyMap<string, Expected>,
  options: { signal: AbortSignal; onBytes: (done: number) => void },
): Promise<VolumeCheck> {
  const root = joinPath(folder.directory, placesOf(folder, volume.index).folder)
  const found = new Map<string, Found>()
  await walk(root, '', found, options.signal)
  const failures = compareTrees(expected, found, volume.label)
  const comparable = [...expected].flatMap(([path, wanted]) => {
    const is = found.get(path)
    if (wanted.kind !== 'file' || is?.kind !== 'file' || is.bytes !== wanted.bytes) return []
    return [
      { path, sha256: wanted.sha256, place: { file: joinPath(root, path), offset: 0, bytes: wanted.bytes } },
    ]
  })
  let done = 0
  const digests = await hashRanges(
    comparable.map(({ place }) => ({ path: place.file, offset: place.offset, bytes: place.bytes })),
    { signal: options.signal, onBytes: (bytes) => options.onBytes((done += bytes)) },
  )
  const places = new Map<string, ContentPlace>()
  for (const [at, { path, sha256, place }] of comparable.entries()) {
    const digest = digests[at]
    if (digest === undefined) throw new AppError('internal', 'a digest is missing')
    if ('error' in digest) failures.push(digest.error)
    else if (digest.sha256 === sha256) places.set(path, place)
    else failures.push(mismatch(volume.label, path, 'its content differs (SHA-256)'))
  }
  return { failures, sectors: volume.sectors, places }
}

async function walk(
  root: string,
  path: string,
  found: Map<string, Found>,
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal)
  const at = joinPath(root, path)
  try {
    for (const entry of await readdir(fsPath(at), { withFileTypes: true, encoding: 'buffer' })) {
      const name = pathFromBytes(entry.name)
      const below = path === '' ? name : `${path}/${name}`
      if (entry.isDirectory()) {
        found.set(below, { kind: 'folder' })
        await walk(root, below, found, signal)
      } else found.set(below, await lookAt(fsPath(joinPath(root, below))))
    }
  } catch (thrown) {
    throw fileFailure(thrown, 'read', at)
  }
}

async function lookAt(path: Buffer): Promise<Found> {
  const stats = await lstat(path)
  if (stats.isFile()) return { kind: 'file', bytes: stats.size }
  if (!stats.isSymbolicLink()) return { kind: 'other' }
  return { kind: 'symlink', target: pathFromBytes(await readlink(path, { encoding: 'buffer' })) }
}
