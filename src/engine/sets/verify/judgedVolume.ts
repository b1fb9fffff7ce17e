import { readFile } from 'node:fs/promises'
import type { RunVolume } from '../../../contract/dto/run'
import { worstOf } from '../../../domain/sets/verdict'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import { judgedDamage } from '../recovery/judgedDamage'
import { recoveryPlaces } from '../recovery/recoveryPlaces'
import { openDamagedImage } from '../volume/image/damagedImage'
import { ImagePlaces } from '../volume/image/imagePlaces'
import type { Expected } from '../volume/lists/expectedTree'
import { readableIndex } from '../volume/lists/setIndex'
import type { Difference } from '../volume/open/difference'
import { INDEX_NAME } from '../volume/planned/ownNames'
import type { SizedVolume } from '../volume/planned/plannedVolume'

/** A built volume of a plan: the path of its image, null for a folder. */
interface BuiltPlace {
  readonly built: string | null
  /** The folder of the plan. */
  readonly directory: string
  readonly volume: SizedVolume
}

/** The outcome of reading a volume of a plan. */
interface ReadVolume {
  readonly expected: ReadonlyMap<string, Expected>
  /** By path, of files that are right. */
  readonly places: ReadonlyMap<string, ContentPlace>
  /** True where files in undamaged archives are not as they should be. */
  readonly areMembersWrong: boolean
  /** False where anything of it is not as it should be. */
  readonly isRight: boolean
}

interface JudgedVolume {
  readonly verdict: RunVolume['verdict']
  /** Undefined where it has no recovery data. */
  readonly blocks: RunVolume['recovery']
  /** Damage of the recovery data itself. */
  readonly differences: readonly Difference[]
}

/**
 * The verdict on a volume of a plan that was read to its end.
 * @throws AppError `io`, `cancelled`
 */
export async function judgedVolume(
  { built, directory, volume }: BuiltPlace,
  { expected, places, areMembersWrong, isRight }: ReadVolume,
  signal: AbortSignal,
): Promise<JudgedVolume> {
  const files = [...expected].flatMap(([path, wanted]) =>
    wanted.kind === 'file' ? [{ path, ...wanted }] : [],
  )
  const damaged = files.map(({ path }) => path).filter((path) => !places.has(path))
  if (built === null) return { verdict: isRight ? 'good' : 'lost', blocks: undefined, differences: [] }
  const { payloadName, places: planned, index } = volume
  const listed = joinPath(directory, planned.payload, payloadName, INDEX_NAME)
  const image = await openDamagedImage(built)
  const ways = new ImagePlaces(
    image,
    readableIndex(await attempt('read', listed, readFile(fsPath(listed)))),
    index,
  )
  const judged = await judgedDamage(
    { files: { ...image, placeOf: (path) => ways.placeOf(path) }, own: payloadName },
    {
      damaged,
      isRight: (path) => places.has(path),
      digests: new Map(files.map(({ path, sha256 }) => [path, sha256])),
    },
    await recoveryPlaces(image, payloadName, signal),
    { signal },
  )
  const ofData = judged.damagedData.map((path) => ({ path, code: 'damaged-recovery-data' }) as const)
  const areWrong = areMembersWrong && damaged.length === 0
  const rest = areWrong ? ['lost' as const] : !isRight || ofData.length > 0 ? ['repairable' as const] : []
  return { verdict: worstOf([...judged.verdicts, ...rest]), blocks: judged.blocks, differences: ofData }
}
