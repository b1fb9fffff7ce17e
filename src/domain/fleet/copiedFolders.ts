import { z } from 'zod'
import { bytesSchema, countSchema } from '../scalars'

const placeSchema = z.object({ source: countSchema, path: z.string() })

/** Folders of any sources that hold the same files. */
export const copiedFoldersSchema = z.object({
  /** Smaller folders were not compared. */
  leastBytes: bytesSchema,
  /** Files without a SHA-256: folders that hold one of them were not compared. */
  filesWithoutDigest: countSchema,
  /** True where there are more than `copies` has: those have the most bytes. */
  isCut: z.boolean(),
  /** The largest first. A folder below a copy is none of its own. */
  copies: z.array(placeSchema.extend({ of: placeSchema, files: countSchema, bytes: bytesSchema })),
})
export type CopiedFolders = z.infer<typeof copiedFoldersSchema>

/** A folder with what makes it equal to another one. */
export interface AlikeFolder {
  readonly source: number
  readonly path: string
  readonly files: number
  readonly bytes: number
  /** The multiset of its files' digests: equal folders have the same one. */
  readonly content: string
}

/**
 * The folders that are whole copies of another one, the largest first. Of those that hold the same
 * files, the first by source and path is the one that the others are copies of.
 * @param alike folders of which each has the content of another one
 */
export function copiesOf(alike: readonly AlikeFolder[]): CopiedFolders['copies'] {
  const contents = new Map<string, AlikeFolder[]>()
  for (const folder of alike) {
    const known = contents.get(folder.content)
    if (known) known.push(folder)
    else contents.set(folder.content, [folder])
  }
  const copies: CopiedFolders['copies'] = []
  const listed = new Set<string>()
  const inOrder = [...contents.values()].toSorted((a, b) => sizeOf(b) - sizeOf(a))
  for (const folders of inOrder) {
    const own = new Set(folders.map(keyOf))
    const apart = folders
      // A folder with nothing but another one holds the same files.
      .filter(({ source, path }) => !own.has(keyOf({ source, path: parentOf(path) })))
      .filter((folder) => !isWithin(folder, listed))
      .toSorted((a, b) => a.source - b.source || (a.path < b.path ? -1 : 1))
    const [first, ...others] = apart
    if (!first) continue
    for (const { source, path, files, bytes } of others) {
      listed.add(keyOf({ source, path }))
      copies.push({ source, path, of: { source: first.source, path: first.path }, files, bytes })
    }
  }
  return copies
}

type Place = Pick<AlikeFolder, 'source' | 'path'>

function sizeOf([folder]: readonly AlikeFolder[]): number {
  return folder?.bytes ?? 0
}

function keyOf({ source, path }: Place): string {
  return `${source} ${path}`
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function isWithin({ source, path }: Place, listed: ReadonlySet<string>): boolean {
  for (let at = parentOf(path); at !== ''; at = parentOf(at))
    if (listed.has(keyOf({ source, path: at }))) return true
  return false
}
