import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { COMMENT_RULES, type CommentRule, commentFaults } from './plainWordsInComments'
import { houseFiles } from './sourceFiles'

/** The faults of each area that are left. They may only fall: lower a figure with the comments that you rewrite. */
const LEFT: Readonly<Record<string, Readonly<Record<CommentRule, number>>>> = {
  'src/domain/': { longLines: 0, openings: 0, numbers: 0 },
  'src/engine/sets/': { longLines: 0, openings: 0, numbers: 0 },
  'src/engine/': { longLines: 0, openings: 0, numbers: 0 },
  'src/': { longLines: 0, openings: 0, numbers: 0 },
  'renderer/': { longLines: 0, openings: 0, numbers: 0 },
  'native/src/core/': { longLines: 0, openings: 0, numbers: 0 },
  'native/': { longLines: 0, openings: 0, numbers: 0 },
}
const SHOWN = 10

/** The first area that holds the file: an area comes before those that it lies in. */
const areaOf = (file: string): string | undefined => Object.keys(LEFT).find((area) => file.startsWith(area))

const faults = new Map<string, string[]>()
for (const file of houseFiles().filter((one) => /\.(ts|tsx|cc|h)$/.test(one))) {
  const area = areaOf(file)
  if (area === undefined) continue
  const source = readFileSync(file, 'utf8')
  for (const rule of Object.keys(COMMENT_RULES) as CommentRule[]) {
    const key = `${area} ${rule}`
    faults.set(key, [...(faults.get(key) ?? []), ...commentFaults(rule, file, source)])
  }
}

describe('doc comments', () => {
  const cases = Object.entries(LEFT).flatMap(([area, left]) =>
    Object.entries(left).map(([rule, most]) => ({ area, rule: rule as CommentRule, most })),
  )

  it.each(cases)('in $area have no more faults of $rule', ({ area, rule, most }) => {
    const found = faults.get(`${area} ${rule}`)
    if (found === undefined) throw new Error(`${area} holds no files`)
    const { what, instead } = COMMENT_RULES[rule]
    const shown = found.slice(0, SHOWN).join('\n')
    expect(
      found.length,
      found.length > most
        ? `${area} has ${found.length} ${what}; ${most} may be left. Rewrite: ${instead}. The first are\n${shown}`
        : `${area} has only ${found.length} ${what} left: set ${rule} to ${found.length} in LEFT`,
    ).toBe(most)
  })
})

describe('the search for faults of doc comments', () => {
  const long = `/** ${'word '.repeat(20)}word */\nconst a = 1\n`

  it.each([
    ['longLines', 'a.ts', long, ['a.ts:1']],
    ['longLines', 'a.ts', `/**\n * short\n * ${'x'.repeat(98)}\n */\n`, ['a.ts:3']],
    ['longLines', 'a.ts', `const a = '${'x'.repeat(98)}'\n`, []],
    ['openings', 'a.ts', 'interface A {\n  /** What it holds. */\n  b: number\n}\n', ['a.ts:2']],
    ['openings', 'a.ts', '/**\n * So many of them.\n */\n', ['a.ts:1']],
    ['openings', 'a.ts', '/** Offset in bytes. */\n// What it holds.\n', []],
    ['openings', 'a.cc', 'int a; // What\n    // Whether it\n    // holds.\n', ['a.cc:2']],
    ['numbers', 'a.ts', '/** 1, 2.5, 3,000, 4 to 5 and 6. */\n', []],
    ['numbers', 'a.ts', '/** 1, 2.5, 3,000, 4 to 5 and 6: 7 %. */\n', ['a.ts:1']],
    ['numbers', 'a.ts', '/** SHA-256, 7-Zip, uint32, `1 2 3 4 5 6`, 1. */\n', []],
  ] as const)('finds %s in %s: %j', (rule, file, source, places) => {
    expect(commentFaults(rule, file, source)).toEqual(places)
  })
})
