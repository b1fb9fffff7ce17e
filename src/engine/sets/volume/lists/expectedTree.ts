import { isImageTarget, rockRidgeTarget } from '../../../../domain/sets/naming/linkTargets'
import { storedEntries } from '../../../../domain/sets/storedEntries'
import type { PlannedVolume } from '../planned/plannedVolume'
import type { PayloadFiles } from './payloadFiles'

/** An entry that must be on a volume under a name. */
export type Expected =
  | { readonly kind: 'file'; readonly bytes: number; readonly sha256: string }
  | { readonly kind: 'folder' }
  | { readonly kind: 'symlink'; readonly target: string }

/** An entry that was found on a volume under a name; its digest comes later. */
export type Found =
  | { readonly kind: 'file'; readonly bytes: number }
  | { readonly kind: 'folder' }
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'other' }

/**
 * Everything that must be on a volume by path: the plan's entries, the folders above them and
 * Stowage's own files.
 */
export function expectedTree(
  { entries, payloadName }: Pick<PlannedVolume, 'entries' | 'payloadName'>,
  payload: PayloadFiles,
): Map<string, Expected> {
  const tree = new Map<string, Expected>()
  const add = (path: string, expected: Expected): void => {
    let slash = path.lastIndexOf('/')
    for (; slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const parent = path.slice(0, slash)
      if (tree.has(parent)) break
      tree.set(parent, { kind: 'folder' })
    }
    tree.set(path, expected)
  }
  for (const entry of storedEntries(entries)) {
    if (entry.kind === 'folder') add(entry.path, { kind: 'folder' })
    else if (entry.kind === 'symlink') add(entry.path, { kind: 'symlink', target: entry.target })
    else add(entry.path, { kind: 'file', bytes: entry.bytes, sha256: entry.sha256 })
  }
  add(payloadName, { kind: 'folder' })
  for (const [name, own] of payload) add(`${payloadName}/${name}`, { kind: 'file', ...own })
  return tree
}

/**
 * The tree as the format holds it: link targets without doubled or trailing slashes, and no link
 * whose target is too long.
 */
export function inRockRidge(expected: ReadonlyMap<string, Expected>): Map<string, Expected> {
  return new Map(
    [...expected].flatMap(([path, wanted]): [string, Expected][] => {
      if (wanted.kind !== 'symlink') return [[path, wanted]]
      const { kind, target } = wanted
      return isImageTarget(target) ? [[path, { kind, target: rockRidgeTarget(target) }]] : []
    }),
  )
}
