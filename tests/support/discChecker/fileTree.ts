import { SECTOR } from './sectors'

/** Consecutive bytes of the image, from the start of a sector. */
export interface Run {
  readonly first: number
  readonly bytes: number
}

/** What one of the two trees says of a name. */
export interface TreeNode {
  /** As text, bytes that are no UTF-8 as lone surrogates; '' for the root. */
  readonly name: string
  readonly path: string
  readonly kind: 'folder' | 'file' | 'link'
  readonly bytes: number
  /** Where its content is; adjacent runs are one. Empty for folders and links. */
  readonly runs: readonly Run[]
  /** Of the last change, since 1970; null where it cannot be read. */
  readonly modifiedMicroseconds: bigint | null
  /** Of its creation; null where there is none, as always in ISO 9660. */
  readonly createdMicroseconds: bigint | null
  /** The nine bits of Unix. */
  readonly permissions: number
  /** How many names the same file has in this tree. */
  readonly names: () => number
  readonly children: TreeNode[]
}

/** Joins runs that follow each other; those without bytes are nothing. */
export function joinedRuns(runs: readonly Run[]): Run[] {
  const joined: Run[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    if (run.bytes === 0) continue
    const follows =
      last !== undefined && last.bytes % SECTOR === 0 && last.first + last.bytes / SECTOR === run.first
    if (follows) joined[joined.length - 1] = { first: last.first, bytes: last.bytes + run.bytes }
    else joined.push(run)
  }
  return joined
}
