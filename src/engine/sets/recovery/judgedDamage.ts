import type { RecoveryBlocks, Verdict } from '../../../domain/sets/verdict'
import { joinPath } from '../../files/fileSystem'
import type { Volume } from '../volume/lists/volume'
import type { RecoveryPlace } from './recoveryPlaces'
import { setStates, verdicts, volumeRecovery } from './volumeRecovery'

/** The files of a volume as they were read. */
interface ReadFiles {
  /** Paths of damaged files. */
  readonly damaged: readonly string[]
  /** True for the path of a file whose content is right. */
  isRight(path: string): boolean
  /** SHA-256 of the files that must be on it, by path. */
  readonly digests: ReadonlyMap<string, string>
}

/** The verdicts on the damaged files of a volume, and its recovery data. */
export interface JudgedDamage {
  /** For each damaged file, in the order given. */
  readonly verdicts: readonly Exclude<Verdict, 'good'>[]
  /** Paths of PAR2 files of which something is damaged. */
  readonly damagedData: readonly string[]
  /** Undefined where it has no recovery data. */
  readonly blocks: RecoveryBlocks | undefined
}

/**
 * Checks the recovery data of a volume, and tells which of its damaged files come back by it.
 * @param own Stowage's own folder on the volume
 * @throws AppError `cancelled`
 */
export async function judgedDamage(
  { files, own }: { readonly files: Volume; readonly own: string },
  { damaged, isRight, digests }: ReadFiles,
  places: readonly RecoveryPlace[],
  watch: { readonly signal: AbortSignal; readonly onBytes?: (done: number) => void },
): Promise<JudgedDamage> {
  const placeOf: Volume['placeOf'] = (path) => files.placeOf(path)
  const recovery = await volumeRecovery(places, placeOf, watch)
  const { signal } = watch
  const states = damaged.length === 0 ? [] : await setStates(recovery, placeOf, { signal }, isRight)
  const inSets = verdicts(states)
  // Files with equal content are in a set once, under one of their names.
  const byDigest = new Map<string, Verdict>()
  for (const [path, verdict] of inSets) byDigest.set(digests.get(path) ?? '', verdict)
  // So are lists, which have a second copy that no set has.
  const right = new Set([...digests].flatMap(([path, digest]) => (isRight(path) ? digest : [])))
  const [first] = recovery.sets
  return {
    verdicts: damaged.map((path) => {
      const digest = digests.get(path) ?? path
      if (right.has(digest)) return 'repairable'
      const verdict = inSets.get(path) ?? byDigest.get(digest) ?? 'lost'
      return verdict === 'lost' ? 'lost' : 'repairable'
    }),
    damagedData: recovery.damaged.map((name) => joinPath(own, name)),
    blocks: first && {
      blocks: recovery.sets.reduce((sum, set) => sum + set.recovery.length, 0),
      lost: states.reduce((sum, { states: { lost } }) => sum + lost.length, 0),
      blockBytes: first.blockBytes,
    },
  }
}
