import { joinPath } from '../../files/fileSystem'
import { type ContentPlace, digestHex } from '../../files/read'
import { hashRanges } from '../../native/addon'
import { compareTrees } from '../volume/compareTrees'
import type { Difference } from '../volume/difference'
import type { Expected } from '../volume/expectedTree'
import { filesDone } from '../volume/filesDone'
import type { SizedVolume } from '../volume/plannedVolume'
import { openFolder } from '../volume/volume'
import type { VolumeCheck } from './verifyImage'

/**
 * Reads a folder volume back and compares names, kinds, link targets and the digest of every file.
 * @param options.root the folder of the volume
 * @param options.hash reads the files; by direct reads where that is asked for
 * @throws AppError `not-found` when the folder is not there, `cancelled`
 */
export async function verifyFolder(
  volume: Pick<SizedVolume, 'sectors'>,
  expected: ReadonlyMap<string, Expected>,
  options: {
    root: string
    signal: AbortSignal
    onBytes: (done: number, files: number) => void
    hash?: typeof hashRanges
  },
): Promise<VolumeCheck> {
  const { root, hash = hashRanges } = options
  const found = await (await openFolder(root)).tree(options.signal)
  const differences: Difference[] = compareTrees(expected, found)
  const comparable = [...expected].flatMap(([path, wanted]) => {
    const is = found.get(path)
    if (wanted.kind !== 'file' || is?.kind !== 'file' || is.bytes !== wanted.bytes) return []
    return [
      { path, sha256: wanted.sha256, place: { file: joinPath(root, path), offset: 0, bytes: wanted.bytes } },
    ]
  })
  const filesAt = filesDone(comparable.map(({ place }) => place.bytes))
  const { sha256: digests, errors } = await hash(
    comparable.map(({ place }) => ({ path: place.file, offset: 0, length: place.bytes })),
    { signal: options.signal, onProgress: (done) => options.onBytes(done, filesAt(done)) },
  )
  const places = new Map<string, ContentPlace>()
  for (const [at, { path, sha256, place }] of comparable.entries()) {
    const error = errors.get(at)
    if (error) differences.push({ path, code: 'unreadable', because: error.message })
    else if (digestHex(digests, at) === sha256) places.set(path, place)
    else differences.push({ path, code: 'other-content' })
  }
  return { differences, sectors: volume.sectors, places }
}
