import { lstat, readdir, readlink } from 'node:fs/promises'
import { pathFromBytes } from '../../../primitives/pathText'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/rangeOf'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { hashRanges } from '../../native/addon'
import type { SizedVolume } from '../plannedVolume'
import { compareTrees, type Expected, type Found, mismatch } from './expectedTree'
import type { VolumeCheck } from './verifyImage'

/**
 * Reads a folder volume back and compares names, kinds, link targets and the digest of every file.
 * @param options.root the folder of the volume
 * @param options.hash reads the files; by direct reads where that is asked for
 * @throws AppError `not-found` when the folder is not there, `cancelled`
 */
export async function verifyFolder(
  volume: SizedVolume,
  expected: ReadonlyMap<string, Expected>,
  options: {
    root: string
    signal: AbortSignal
    onBytes: (done: number) => void
    hash?: typeof hashRanges
  },
): Promise<VolumeCheck> {
  const { root, hash = hashRanges } = options
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
  const { sha256: digests, errors } = await hash(
    comparable.map(({ place }) => ({ path: place.file, offset: 0, length: place.bytes })),
    { signal: options.signal, onProgress: options.onBytes },
  )
  const places = new Map<string, ContentPlace>()
  for (const [at, { path, sha256, place }] of comparable.entries()) {
    const error = errors.get(at)
    if (error) failures.push(mismatch(volume.label, path, error.message))
    else if (digestHex(digests, at) === sha256) places.set(path, place)
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
  await attempt('read', at, async () => {
    for (const entry of await readdir(fsPath(at), { withFileTypes: true, encoding: 'buffer' })) {
      const name = pathFromBytes(entry.name)
      const below = path === '' ? name : `${path}/${name}`
      if (entry.isDirectory()) {
        found.set(below, { kind: 'folder' })
        await walk(root, below, found, signal)
      } else found.set(below, await lookAt(fsPath(joinPath(root, below))))
    }
  })
}

async function lookAt(path: Buffer): Promise<Found> {
  const stats = await lstat(path)
  if (stats.isFile()) return { kind: 'file', bytes: stats.size }
  if (!stats.isSymbolicLink()) return { kind: 'other' }
  return { kind: 'symlink', target: pathFromBytes(await readlink(path, { encoding: 'buffer' })) }
}

/** The digest at a place of a row of SHA-256 digests, in hex. */
export function digestHex(digests: Uint8Array, at: number): string {
  return Buffer.from(digests.subarray(at * 32, at * 32 + 32)).toString('hex')
}
