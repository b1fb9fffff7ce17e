import { describe, expect, it } from 'vitest'
import type { InventoryItem, PackedVolume } from '../../../../../src/domain/sets/packing/inventory'
import { branchingFolder, volumeShares } from '../../../../../src/domain/sets/packing/volumeShares'

const file = (path: string) => ({ path, kind: 'file' as const })

describe('the first branching folder', () => {
  it('is the deepest that holds all files', () => {
    expect(branchingFolder([file('home/ana/Photos/2003/a'), file('home/ana/Photos/2004/b')])).toBe(
      'home/ana/Photos',
    )
    expect(branchingFolder([file('a/b/one'), file('a/b/c/two')])).toBe('a/b')
    expect(branchingFolder([file('a/x'), file('ab/x')])).toBe('')
    expect(branchingFolder([file('a/b/only')])).toBe('a/b')
    expect(branchingFolder([file('top'), file('a/b/c')])).toBe('')
    expect(branchingFolder([])).toBe('')
  })

  it('does not depend on the order, nor on empty folders and links', () => {
    const files = [file('p/q/r/1'), file('p/q/s/2'), file('p/q/3')]
    const without = [
      { path: 'other', kind: 'folder' as const },
      { path: 'link', kind: 'symlink' as const },
    ]
    expect(branchingFolder([...without, ...files])).toBe('p/q')
    expect(branchingFolder([...files.toReversed(), ...without])).toBe('p/q')
  })

  it('divides the shares of a volume, which keep their whole paths', () => {
    const items: InventoryItem[] = ['a/b/c/1', 'a/b/c/2', 'a/b/d/3', 'a/b/4'].map((path, index) => ({
      index,
      path,
      kind: 'file',
      bytes: 10 * (index + 1),
    }))
    const volume = {
      assignments: items.map(({ index }) => ({ kind: 'whole' as const, index })),
    } as unknown as PackedVolume
    const shares = volumeShares(volume, (index) => items[index] as InventoryItem, branchingFolder(items))
    expect(shares).toEqual([
      { path: 'a/b/4', bytes: 40, files: 1 },
      { path: 'a/b/c', bytes: 30, files: 2 },
      { path: 'a/b/d', bytes: 30, files: 1 },
    ])
  })
})
