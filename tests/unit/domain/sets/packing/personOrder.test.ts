import { describe, expect, it } from 'vitest'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'
import { packingTree } from '../../../../../src/domain/sets/packing/packingTree'
import { personOrder } from '../../../../../src/domain/sets/packing/personOrder'

/** The entries at the top of a source, in the order in which volumes are filled with them. */
function inOrder(
  files: readonly (readonly [path: string, year: number])[],
  order: 'name' | 'date',
): string[] {
  const items = files.map(([path], index): InventoryItem => ({ index, path, kind: 'file', bytes: 1 }))
  const tree = packingTree(items, costsOf('image'))
  const modifiedMs = (index: number): number => Date.UTC(files[index]?.[1] ?? 0, 0)
  const by = personOrder(tree, { order, modifiedMs }, (item) => items[item]?.index ?? 0)
  const top = Array.from({ length: tree.size }, (_, node) => node).filter(
    (node) => node > 0 && tree.parent[node] === 0,
  )
  return (by?.sorted(0, () => top) ?? []).map((node) => tree.name(node))
}

describe('the order of a person', () => {
  it('goes by name without regard to accents and case, and by the value of numbers', () => {
    const names = ['Éa 1', 'ea 2', 'EA 10', 'f'].map((name) => [name, 2000] as const)
    expect(inOrder(names.toReversed(), 'name')).toEqual(['Éa 1', 'ea 2', 'EA 10', 'f'])
  })

  it('dates a folder by the middle of its files, so that one with a wrong date does not move it', () => {
    const files = [
      ['late/1', 2010],
      ['early/1', 2001],
      ['early/2', 2002],
      ['early/3', 2030],
    ] as const
    expect(inOrder(files, 'date')).toEqual(['early', 'late'])
  })
})
