import { type RecoveryBlocks, type Verdict, worstOf } from '../../../domain/sets/verdict'
import type { ContentPlace } from '../../files/read'
import type { JobContext } from '../../jobs/jobContext'
import { judgedDamage } from '../recovery/judgedDamage'
import type { RecoveryPlace } from '../recovery/recoveryPlaces'
import { type OnVolumeWork, volumeProgress } from '../runs/volumeProgress'
import type { Volume } from '../volume/lists/volume'
import type { Difference, FileDifference } from '../volume/open/difference'
import type { ExpectedFile } from '../volume/open/expectedFiles'
import type { Watch } from '../volume/open/readBack'
import type { Held, MemberDifference } from './packedContents'

/** The result of reading a volume: how it differs from what is expected of it. */
export interface VolumeReading {
  readonly differences: readonly Difference[]
  /** By path, of files that are right. */
  readonly places: ReadonlyMap<string, ContentPlace>
}

/** A volume that is open to be read back: what must be on it, and how it is read. */
export interface OpenedVolume<R extends VolumeReading = VolumeReading> {
  readonly label: string
  readonly volume: Volume
  /** Stowage's own folder on it. */
  readonly own: string
  /** Every file that must be on it. */
  readonly expected: readonly Pick<ExpectedFile, 'path' | 'sha256'>[]
  /** Null where nothing on it gives a damaged file back. */
  readonly recovery: readonly RecoveryPlace[] | null
  readonly held: readonly Held[]
  /** All that is read of it, as progress counts it. */
  readonly bytes: number
  read(watch: Watch): Promise<R>
}

/** The files in the archives of a set, compared as its volumes are read. */
interface ContentsOfSet {
  /** How many were compared so far. */
  readonly checked: number
  differences(
    volume: Pick<OpenedVolume, 'label' | 'held'>,
    places: VolumeReading['places'],
    onBytes: (done: number) => void,
  ): Promise<MemberDifference[]>
}

/** The outcome of a volume: what was found on it, and what gives it back. */
export interface JudgedVolume<R extends VolumeReading = VolumeReading> {
  readonly reading: R
  /** By path, the files that are not right. */
  readonly damaged: ReadonlyMap<string, Exclude<Verdict, 'good'>>
  /** Damage of the recovery data itself. */
  readonly damagedData: readonly FileDifference[]
  /** Undefined where it has no recovery data. */
  readonly blocks: RecoveryBlocks | undefined
  /** Files in archives that are complete with it, and are not as they went in. */
  readonly inside: readonly MemberDifference[]
  /** How many files in archives were compared. */
  readonly contents: number
}

/**
 * Reads a volume back once, judges what is damaged by its recovery data, and unpacks the archives
 * that are complete with it.
 * @param contents of its set; null where archives are not unpacked
 * @throws AppError `cancelled`, `io`, and what reading and unpacking throw
 */
export async function judgedVolume<R extends VolumeReading>(
  opened: OpenedVolume<R>,
  contents: ContentsOfSet | null,
  { signal, onBytes }: Watch,
): Promise<JudgedVolume<R>> {
  const { volume, own, expected, recovery, bytes } = opened
  let read = 0
  const reading = await opened.read({
    signal,
    onBytes: (done, files) => onBytes((read = done), files),
  })
  const isRight = (path: string): boolean => reading.places.has(path)
  const damaged = expected.map(({ path }) => path).filter((path) => !isRight(path))
  const judged =
    recovery &&
    (await judgedDamage(
      { files: volume, own },
      { damaged, isRight, digests: digestsOf(expected) },
      recovery,
      { signal, onBytes: (done) => onBytes(Math.min(read + done, bytes)) },
    ))
  const before = contents?.checked ?? 0
  const inside = (await contents?.differences(opened, reading.places, (done) => onBytes(bytes + done))) ?? []
  return {
    reading,
    damaged: new Map(damaged.map((path, at) => [path, judged?.verdicts[at] ?? 'lost'])),
    damagedData: (judged?.damagedData ?? []).map((path) => ({ path, code: 'damaged-recovery-data' })),
    blocks: judged?.blocks,
    inside,
    contents: (contents?.checked ?? 0) - before,
  }
}

/**
 * The verdict on a volume of a plan. Recovery data gives back how the volume was made: no archive
 * and no split file that is on it byte for byte, and is wrong as a whole.
 * @param recovery of the volume, as it was opened
 * @param ofSet differences of the set as a whole that are reported with it
 */
export function verdictOn(
  { reading, damaged, damagedData, inside }: Omit<JudgedVolume, 'blocks' | 'contents'>,
  recovery: OpenedVolume['recovery'],
  ofSet: readonly FileDifference[],
): Verdict {
  const rest = recovery === null || inside.length > 0 || ofSet.length > 0 ? 'lost' : 'repairable'
  const found = [reading.differences, damagedData, inside, ofSet].flat()
  return worstOf([...damaged.values(), ...found.map(() => rest)])
}

/** SHA-256 of files by path; of one with several, the last. */
export function digestsOf(files: OpenedVolume['expected']): Map<string, string> {
  return new Map(files.flatMap(({ path, sha256 }) => [...sha256].map((digest) => [path, digest] as const)))
}

/**
 * Progress over volumes that are judged one after the other.
 * @param inside the bytes of the files in the archives that are complete with a volume
 * @param weight the time of a byte that is read, relative to one that is unpacked
 */
export function judgingProgress<V extends { label: string; files: number; bytes: number }>(
  context: JobContext,
  volumes: readonly V[],
  inside: (volume: V, at: number) => number,
  weight = 1,
): (at: number) => OnVolumeWork {
  return volumeProgress(context, 'verifying', volumes, (volume, at) => [
    { kind: 'reading', bytes: volume.bytes, weight },
    { kind: 'unpacking', bytes: inside(volume, at) },
  ])
}
