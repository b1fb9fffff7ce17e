import type { Dirent } from 'node:fs'
import { lstat, open, readdir, readFile, stat } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { lstatAt } from '../../files/folderNames'
import type { ContentPlace } from '../../files/rangeOf'
import { readerOf, readIsoTree } from '../verify/isoTree'
import { hasListedSize, isSetIndex, readSetIndex, type SetIndex } from './setIndex'

/** A volume that a person gave, open for reading. */
export interface GivenVolume {
  /** As it was given, or found below a plan's folder. */
  readonly path: string
  readonly index: SetIndex
  /** Its number in the set as it says itself; null if it does not. */
  readonly number: number | null
  /** Where its files are if it is a folder; null for an image. */
  readonly folder: string | null
  /** In an encrypted set the archive of the whole index, of which `index` has only the containers. */
  readonly encryptedIndex: ContentPlace | null
  /** Where the content of a file is, or null if the volume has no such file. */
  placeOf(path: string): Promise<ContentPlace | null>
}

/** The largest index that is read into memory. */
const LARGEST_INDEX_BYTES = 2 ** 31 - 1
/** Of a readme; more than its first line. */
const README_BYTES = 4096

/**
 * Opens what a person gave: images, mounted or copied discs, and folders of plans, which stand for all that was built of them.
 * All must be volumes of one set.
 * @throws AppError `not-found`, `bad-input` for what is no volume, `refused` for volumes of several sets
 */
export async function openVolumes(paths: readonly string[]): Promise<GivenVolume[]> {
  const volumes = (await Promise.all(paths.map(openGiven))).flat()
  const [first] = volumes
  const other = volumes.find(({ index }) => index.id !== first?.index.id)
  if (first && other) {
    const message = `cannot restore ${pathForDisplay(first.path)} and ${pathForDisplay(other.path)} together: they belong to different sets`
    throw new AppError('refused', message, { path: other.path })
  }
  return volumes
}

async function openGiven(path: string): Promise<GivenVolume[]> {
  const stats = await stat(fsPath(path)).catch((thrown: unknown) => {
    throw fileFailure(thrown, 'read', path)
  })
  if (!stats.isDirectory()) return [await openImage(path)]
  const built = await builtVolumes(path)
  if (built === null) return [await openFolder(path)]
  if (built.length > 0) return built
  const isMac = lstatAt(joinPath(path, 'build-on-mac.sh')) !== null
  const first = isMac ? 'open its disk image on a Mac and name the volume' : 'build it first'
  const message = `cannot restore from ${pathForDisplay(path)}: no volume of this plan is built; ${first}`
  throw new AppError('not-found', message, { path })
}

/** What was built in a plan's folder; null for a folder that is not one. */
async function builtVolumes(path: string): Promise<GivenVolume[] | null> {
  const names = new Set((await entriesIn(path)).map(({ name }) => pathFromBytes(name)))
  if (!names.has('plan.json') || !names.has('volumes')) return null
  const volumes: GivenVolume[] = []
  for (const [kind, opened] of [
    ['images', openImage],
    ['folders', openFolder],
  ] as const) {
    if (!names.has(kind)) continue
    const found = (await entriesIn(joinPath(path, kind))).map(({ name }) => pathFromBytes(name)).toSorted()
    for (const name of found)
      if (/^\d{2,}(\.iso)?$/.test(name)) volumes.push(await opened(joinPath(path, kind, name)))
  }
  return volumes
}

async function openFolder(path: string): Promise<GivenVolume> {
  const found: NamedIndex[] = []
  for (const entry of await entriesIn(path)) {
    if (!entry.isDirectory()) continue
    const name = `${pathFromBytes(entry.name)}/INDEX.tsv`
    const text = await readFile(fsPath(joinPath(path, name))).catch(() => null)
    if (text !== null && isSetIndex(text))
      found.push({ name, index: readSetIndex(text, joinPath(path, name)) })
  }
  const { name, index } = ownIndex(found, path)
  const readme = await readFile(fsPath(joinPath(path, besideIndex(name, 'README.txt'))), 'latin1').catch(
    () => '',
  )
  const placeOf = async (wanted: string): Promise<ContentPlace | null> => {
    const file = joinPath(path, wanted)
    const stats = await lstat(fsPath(file)).catch(() => null)
    return stats?.isFile() ? { file, offset: 0, bytes: stats.size } : null
  }
  return {
    path,
    index,
    number: saidNumber(index, readme),
    folder: path,
    encryptedIndex: await placeOf(besideIndex(name, 'INDEX.7z')),
    placeOf,
  }
}

async function openImage(path: string): Promise<GivenVolume> {
  const file = await open(fsPath(path)).catch((thrown: unknown) => {
    throw fileFailure(thrown, 'read', path)
  })
  try {
    const readAt = readerOf(file)
    const tree = await readIsoTree(readAt).catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === 'verification-failed') throw noVolume(path)
      throw fileFailure(thrown, 'read', path)
    })
    const files = new Map(tree.entries.filter(({ kind }) => kind === 'file').map((one) => [one.path, one]))
    const found: NamedIndex[] = []
    for (const { path: name, offset, bytes } of files.values()) {
      if (!/^[^/]+\/INDEX\.tsv$/.test(name) || bytes > LARGEST_INDEX_BYTES) continue
      const text = Buffer.from(await readAt(offset, bytes))
      if (isSetIndex(text)) found.push({ name, index: readSetIndex(text, `${path}/${name}`) })
    }
    const { name, index } = ownIndex(found, path)
    const placeOf = (wanted: string): ContentPlace | null => {
      const place = files.get(wanted)
      return place ? { file: path, offset: place.offset, bytes: place.bytes } : null
    }
    const beside = placeOf(besideIndex(name, 'README.txt'))
    const readme = beside && Buffer.from(await readAt(beside.offset, Math.min(beside.bytes, README_BYTES)))
    return {
      path,
      index,
      number: saidNumber(index, readme?.toString('latin1') ?? '', tree.label),
      folder: null,
      encryptedIndex: placeOf(besideIndex(name, 'INDEX.7z')),
      placeOf: (wanted) => Promise.resolve(placeOf(wanted)),
    }
  } finally {
    await file.close()
  }
}

interface NamedIndex {
  readonly name: string
  readonly index: SetIndex
}

/** The volume's own index: one that came with the source, from a copied disc say, is a file in the volume's own. */
function ownIndex(found: readonly NamedIndex[], path: string): NamedIndex {
  const listed = new Set(found.flatMap(({ index }) => index.rows.map((row) => row.path)))
  const own = found.find(({ name }) => !listed.has(name))
  if (!own) throw noVolume(path)
  return own
}

function besideIndex(indexName: string, name: string): string {
  return indexName.replace(/[^/]+$/, name)
}

/** The number that a volume's readme gives it, or else an image's label. */
function saidNumber({ volumes }: SetIndex, readme: string, imageLabel?: string): number | null {
  const [, number, label] = /^This is volume (\d+) of \d+, (.+?), of an archive/.exec(readme) ?? []
  const isIt = (volume: { index: number; label: string }): boolean =>
    number === undefined
      ? volume.label === imageLabel
      : volume.index === Number(number) && volume.label === label
  return volumes.find(isIt)?.index ?? null
}

async function entriesIn(path: string): Promise<Dirent<Buffer>[]> {
  return readdir(fsPath(path), { withFileTypes: true, encoding: 'buffer' }).catch((thrown: unknown) => {
    throw fileFailure(thrown, 'read', path)
  })
}

function noVolume(path: string): AppError {
  const message = `cannot restore from ${pathForDisplay(path)}: it is neither a plan folder nor a volume (no INDEX.tsv)`
  return new AppError('bad-input', message, { path })
}

/** The number of a volume that does not say it: that of the first listed file that it holds where the index says. */
export async function guessedNumber(volume: GivenVolume): Promise<number | null> {
  for (const row of volume.index.rows) {
    if (row.kind !== 'file' && row.kind !== 'part') continue
    if (hasListedSize(row, (await volume.placeOf(row.path))?.bytes)) return row.volume
  }
  return null
}
