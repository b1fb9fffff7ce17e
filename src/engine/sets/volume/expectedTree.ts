import { isImageTarget, rockRidgeTarget } from '../../../domain/sets/naming/linkTargets'
import { storedEntries } from '../../../domain/sets/storedEntries'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { PayloadFiles } from './payloadFiles'
import type { PlannedVolume } from './plannedVolume'
import { isRecoveryFile } from './recoveryTsv'

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

/**
 * Every difference between what must be there and what is, but for the contents of files: missing,
 * extra, of another kind, size or target. Recovery files prove themselves, and are not looked at.
 */
export function compareTrees(
  expected: ReadonlyMap<string, Expected>,
  found: ReadonlyMap<string, Found>,
  where: string,
): AppError[] {
  const failures: AppError[] = []
  for (const [path, wanted] of expected) {
    const is = found.get(path)
    if (is === undefined) failures.push(mismatch(where, path, said`it is missing`))
    else if (is.kind !== wanted.kind) {
      failures.push(mismatch(where, path, said`it is ${kindName(is.kind)}, not ${kindName(wanted.kind)}`))
    } else if (wanted.kind === 'file' && is.kind === 'file' && is.bytes !== wanted.bytes) {
      failures.push(mismatch(where, path, said`it has ${is.bytes} bytes instead of ${wanted.bytes}`))
    } else if (wanted.kind === 'symlink' && is.kind === 'symlink' && is.target !== wanted.target) {
      failures.push(mismatch(where, path, said`the symbolic link has another target`))
    }
  }
  for (const path of found.keys()) {
    if (!expected.has(path) && !isRecoveryFile(path, expected))
      failures.push(mismatch(where, path, said`it is not in the plan`))
  }
  return failures
}

function kindName(kind: Found['kind']): string {
  switch (kind) {
    case 'file':
      return said`a file`
    case 'folder':
      return said`a folder`
    case 'symlink':
      return said`a symbolic link`
    case 'other':
      return said`neither file nor folder`
  }
}

/** `verification of DISC_01 failed: a/b: <because>` */
export function mismatch(where: string, path: string, because: string): AppError {
  const message = said`verification of ${where} failed: ${pathForDisplay(path)}: ${because}`
  return new AppError('verification-failed', message, { path })
}

/** A failure that belongs to the volume as a whole. */
export function volumeMismatch(where: string, because: string): AppError {
  return new AppError('verification-failed', said`verification of ${where} failed: ${because}`)
}
