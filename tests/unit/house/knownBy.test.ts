import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scriptFiles } from './sourceFiles'

/**
 * Features that a plan may have together: how many modules must know each. A feature that many know
 * is designed so that the next one must be told of it everywhere.
 */
interface Feature {
  readonly name: string
  /** The names of its types. */
  readonly types: RegExp
  /** The modules of the product that import any of them. */
  readonly modules: number
  /** Why the number rose, each time that it did. */
  readonly because: readonly string[]
}

const FEATURES: readonly Feature[] = [
  {
    name: 'packing',
    types: /^(Pack(ed|ing)(?!Options$)|PlanPacking$)/,
    modules: 42,
    because: [
      'orderedPacking: it compares a packing in an order with the one for the fewest volumes',
      'groupsTogether: it counts the groups that a packing divides',
    ],
  },
  {
    name: 'growth',
    types: /^(Grow|Earlier|Opened?Earlier|History|Generation|StoredHistory)/,
    modules: 30,
    because: [],
  },
  { name: 'parity', types: /^(Parity|SetProtection$)/, modules: 21, because: [] },
  { name: 'recovery', types: /^(VolumeProtection|Protection|Protected|Recovery)/, modules: 31, because: [] },
  { name: 'encryption', types: /^(\w+)?Encryption$/, modules: 25, because: [] },
  {
    name: 'media',
    types: /^(Medium|FirstMedia$|MediumKind$)/,
    modules: 55,
    because: [
      'fleetMedia: it counts the media that all sources of a report fill',
      'fleetReport of the command line: it reads them from --medium',
      'packedKind: its layout takes the medium, so that a kind of plans can be wrapped',
    ],
  },
]

describe('modules that know a feature by its types', () => {
  const imported = scriptFiles('src', 'renderer').map((file) => typesIn(readFileSync(file, 'utf8')))

  it.each(FEATURES)('are as many as listed: $name', ({ types, modules }) => {
    const known = imported.filter((names) => names.some((name) => types.test(name))).length
    expect(known, 'raise it with a line that says why, or lower it').toBe(modules)
  })
})

/** The types that a module imports, by their names where they are declared. */
function typesIn(source: string): string[] {
  return [...source.matchAll(/^import (type )?\{([^}]*)\} from/gm)].flatMap(([, isType, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => isType !== undefined || name.startsWith('type '))
      .map((name) => name.replace(/^type /, '').replace(/ as .*$/, '')),
  )
}

describe('the search for imported types', () => {
  it('finds those of both forms, and no values', () => {
    expect(
      typesIn("import { a, type B as C } from 'x'\nimport type { D,\n  E } from 'y'\nimport F from 'z'"),
    ).toEqual(['B', 'D', 'E'])
  })
})
