import type { Expected, Found } from '../lists/expectedTree'
import { isRecoveryFile } from '../lists/recoveryTsv'
import type { FileDifference } from './difference'

/**
 * Every difference between what must be there and what is, but for the contents of files: missing,
 * extra, of another kind, size or target. Recovery files prove themselves, and are not looked at.
 */
export function compareTrees(
  expected: ReadonlyMap<string, Expected>,
  found: ReadonlyMap<string, Found>,
): FileDifference[] {
  const differences: FileDifference[] = []
  for (const [path, wanted] of expected) {
    const is = found.get(path)
    if (is === undefined) differences.push({ path, code: 'missing' })
    else if (is.kind !== wanted.kind)
      differences.push({ path, code: 'other-kind', found: is.kind, wanted: wanted.kind })
    else if (wanted.kind === 'file' && is.kind === 'file' && is.bytes !== wanted.bytes)
      differences.push({ path, code: 'other-size', bytes: is.bytes, wanted: wanted.bytes })
    else if (wanted.kind === 'symlink' && is.kind === 'symlink' && is.target !== wanted.target)
      differences.push({ path, code: 'other-target' })
  }
  for (const path of found.keys()) {
    if (!expected.has(path) && !isRecoveryFile(path, expected)) differences.push({ path, code: 'extra' })
  }
  return differences
}
