import { z } from 'zod'
import { bytesSchema, countSchema } from '../../scalars'

/** Names of files, and the bytes of their contents; further names of a file have none. */
const sumsSchema = z.object({ files: countSchema, bytes: bytesSchema })

/** How a source differs from what the plan has that a new plan adds to. */
export const growthSchema = z.object({
  unchanged: sumsSchema,
  /** Files with content that the earlier plan does not list under any name. */
  new: sumsSchema,
  /** Files whose content is another one than under the same name before. */
  changed: sumsSchema,
  /** Files that had another name, which is gone. */
  moved: sumsSchema,
  /** Files with the content of one that is still there. */
  copied: sumsSchema,
  /** Names that are gone, without those that were moved. */
  deleted: sumsSchema,
  /** Contents that are on no kept volume yet, each once: what the new volumes hold. */
  stored: sumsSchema,
  /** All volumes, of this plan and of earlier ones, that a restore of everything reads then. */
  restoreVolumes: countSchema,
})
export type Growth = z.infer<typeof growthSchema>

/** A name of a file with its content. */
export interface NamedContent {
  readonly path: string
  /** 0 for a further name of a file. */
  readonly bytes: number
  readonly sha256: string
}

type Sums = { files: number; bytes: number }

/**
 * Compares the names and contents of two states of a source.
 * @param before the earlier state
 * @returns each name of both in exactly one of the sums
 */
export function compareStates(
  before: readonly NamedContent[],
  now: readonly NamedContent[],
): Omit<Growth, 'stored' | 'restoreVolumes'> {
  const sums = (): Sums => ({ files: 0, bytes: 0 })
  const found = {
    unchanged: sums(),
    new: sums(),
    changed: sums(),
    moved: sums(),
    copied: sums(),
    deleted: sums(),
  }
  const add = (kind: keyof typeof found, { bytes }: NamedContent): void => {
    found[kind].files += 1
    found[kind].bytes += bytes
  }
  const old = new Map(before.map((file) => [file.path, file]))
  const paths = new Set(now.map(({ path }) => path))
  const known = new Set(before.map(({ sha256 }) => sha256))
  const gone = Map.groupBy(
    before.filter(({ path }) => !paths.has(path)),
    ({ sha256 }) => sha256,
  )
  for (const file of now) {
    const was = old.get(file.path)
    if (was) add(was.sha256 === file.sha256 ? 'unchanged' : 'changed', file)
    else if (gone.get(file.sha256)?.shift()) add('moved', file)
    else add(known.has(file.sha256) ? 'copied' : 'new', file)
  }
  for (const files of gone.values()) for (const file of files) add('deleted', file)
  return found
}
