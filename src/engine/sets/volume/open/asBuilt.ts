import { createHash } from 'node:crypto'
import type { SkippedFile } from '../../../../domain/sets/skippedFile'
import { type Expected, expectedTree } from '../lists/expectedTree'
import { payloadFiles } from '../lists/payloadFiles'
import { NONE_SKIPPED, type Skipped, skippedOn } from '../lists/skippedList'
import type { Volume } from '../lists/volume'
import { hasContent, withoutSkipped } from '../lists/withoutSkipped'
import { COPIES } from '../planned/ownNames'
import type { SizedVolume } from '../planned/plannedVolume'

/** A volume of a plan as it was built. */
export interface BuiltVolume {
  /** Without the files that were left out of it. */
  readonly volume: SizedVolume
  /** All that must be on it. */
  readonly expected: ReadonlyMap<string, Expected>
  readonly skipped: readonly SkippedFile[]
}

/**
 * A volume by its plan, but for the files that it says were left out: everything else that must be
 * on it, its own lists too, follows from the plan and from that list.
 * @param directory the folder of the plan
 * @param built the volume; null while there is none, or none that can be opened
 * @throws AppError `bad-input`, `not-found`, `io`
 */
export async function asBuilt(
  directory: string,
  planned: SizedVolume,
  built: Volume | null,
): Promise<BuiltVolume> {
  const skipped = built === null ? NONE_SKIPPED : await skippedOn(built, planned.payloadName)
  const contents = new Set(planned.entries.filter(hasContent).map(({ path }) => path))
  const isOfPlan = [...skipped.keys()].every((path) => contents.has(path))
  return builtWithout(directory, planned, isOfPlan ? skipped : NONE_SKIPPED)
}

/** The same for files that are known to be left out. @throws AppError as `asBuilt` */
export async function builtWithout(
  directory: string,
  planned: SizedVolume,
  skipped: Skipped,
): Promise<BuiltVolume> {
  const payload = await payloadFiles(directory, planned)
  if (skipped.size === 0) return { volume: planned, expected: expectedTree(planned, payload), skipped: [] }
  const { volume, texts } = await withoutSkipped(directory, planned, skipped)
  const own = new Map(payload)
  for (const [name, text] of texts) {
    const file = { bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') }
    own.set(name, file)
    if (payload.has(`${COPIES}/${name}`)) own.set(`${COPIES}/${name}`, file)
  }
  return {
    volume,
    expected: expectedTree(volume, own),
    skipped: [...skipped].map(([path, cause]) => ({ path, cause })),
  }
}
