import { AppError } from '../../../primitives/appError'
import { joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import { type GivenVolume, givenVolume, guessedNumber, readmeFacts, readmeOf } from './givenVolumes'
import type { SetIndex } from './setIndex'
import { readSetSums } from './setSums'
import { type Skipped, skippedOn } from './skippedList'
import { contentAt, type Volume } from './volume'

/**
 * The lists of a volume, as far as they can be read: index or checksums may be missing, not both.
 */
export interface VolumeLists {
  readonly files: Volume
  readonly volume: GivenVolume | null
  readonly index: SetIndex | null
  readonly sums: ReadonlyMap<string, string> | null
  /** Stowage's own folder on it. */
  readonly own: string
  /** The files that the index lists on it and that were left out. */
  readonly skipped: Skipped
  /** SHA-256 of the index, by itself or by the checksums. */
  readonly setId: string | null
  readonly planId: string | null
  readonly number: number | null
  readonly label: string
  readonly encryptedIndex: ContentPlace | null
}

/**
 * Reads index, checksums and readme of a volume. Where sectors of the index cannot be read, the
 * checksums name its files.
 * @throws AppError `bad-input` for what is no volume, or the reason why neither can be read
 */
export async function volumeLists(files: Volume): Promise<VolumeLists> {
  let failure: AppError | null = null
  const volume = await givenVolume(files, 'verify').catch((thrown: unknown) => {
    failure = AppError.from(thrown)
    return null
  })
  const own = volume?.own ?? (await folderOfSums(files))
  if (own === null) throw failure ?? new AppError('internal', 'a volume without lists')
  const sums = await sumsIn(files, own)
  if (!volume && !sums) throw failure ?? new AppError('internal', 'a volume without lists')
  const facts = readmeFacts(await readmeOf(files, own))
  const number = volume ? (volume.number ?? (await guessedNumber(volume))) : facts.number
  const label =
    volume?.index.volumes.find(({ index }) => index === number)?.label ?? facts.label ?? files.label
  return {
    files,
    volume,
    index: volume?.index ?? null,
    sums,
    own,
    skipped: volume?.skipped ?? (await skippedOn(files, own)),
    setId: sums?.get(`${own}/INDEX.tsv`) ?? volume?.index.id ?? null,
    planId: facts.planId,
    number,
    label: label ?? nameOf(files.path),
    encryptedIndex: volume?.encryptedIndex ?? null,
  }
}

/** Stowage's own folder where the index cannot be read: the one whose checksums name it. */
async function folderOfSums(files: Volume): Promise<string | null> {
  for (const own of files.topFolders) {
    const sums = await sumsIn(files, own)
    if (sums?.has(`${own}/INDEX.tsv`)) return own
  }
  return null
}

async function sumsIn(files: Volume, own: string): Promise<Map<string, string> | null> {
  const place = await files.placeOf(joinPath(own, 'SHA256SUMS'))
  if (place === null) return null
  const text = await contentAt(place).catch(() => null)
  return text && readSetSums(text)
}

function nameOf(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? path
}
