import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { rockRidgeTarget } from '../../src/domain/sets/naming/linkTargets'
import { pathToBytes } from '../../src/primitives/pathText'
import type { TreeNode } from './discChecker/fileTree'
import { SECTOR } from './discChecker/sectors'
import type { ReadTree } from './discReaders'
import { PAYLOAD, PAYLOAD_NAME } from './ownImage'
import { digestOfRanges } from './treeFacts'

const latin = (path: string): string => Buffer.from(pathToBytes(path)).toString('latin1')

export const digestOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** The tree as readers of Rock Ridge must find it. */
export function expectedTree(entries: readonly PlanEntry[]): ReadTree {
  const found: Record<string, string> = { [PAYLOAD_NAME]: '' }
  for (const entry of entries) {
    const content =
      entry.kind === 'folder'
        ? ''
        : entry.kind === 'symlink'
          ? latin(rockRidgeTarget(entry.target))
          : entry.sha256
    found[latin(entry.path)] = content
  }
  for (const [name, text] of Object.entries(PAYLOAD)) found[`${PAYLOAD_NAME}/${name}`] = digestOf(text)
  return found
}

/** The UDF tree by the checker, with the digests of the bytes where it finds them. */
export function udfTree(image: string, root: TreeNode): ReadTree {
  const file = openSync(image, 'r')
  const found: Record<string, string> = {}
  const walk = ({ children }: TreeNode): void => {
    for (const child of children) {
      const ranges = child.runs.map(({ first, bytes }) => ({ offset: first * SECTOR, bytes }))
      found[latin(child.path.slice(1))] = child.kind === 'folder' ? '' : digestOfRanges(file, ranges)
      walk(child)
    }
  }
  walk(root)
  closeSync(file)
  return found
}
