import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scriptFiles } from './sourceFiles'
import { unusedExports } from './unusedExports'

/** The faults of sources, as lines. */
function faults(sources: Readonly<Record<string, string>>): string[] {
  return unusedExports(new Map(Object.entries(sources))).map(
    ({ file, line, name, because }) => `${file}:${line}: ${name} is exported, but ${because}`,
  )
}

const USER = `import { used } from './one'`

describe('exports', () => {
  it('are used by another file', () => {
    const files = scriptFiles()
    expect(files.length).toBeGreaterThan(1000)
    expect(faults(Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')])))).toEqual([])
  })

  it.each([
    ['a value', 'export const a = 1\n\nexport function b() {}\nb()\na'],
    ['a type', 'const a = 1\ntype B = number\nexport type { B }\nexport const used = a'],
    ['a value that another export uses', 'export const a = 1\nexport const used = () => a'],
    ['a name that is only passed on', `export { a } from './other'`],
  ])('are refused of %s without a user', (_what, source) => {
    const sources = { 'src/one.ts': source, 'src/other.ts': 'export const a = 1', 'src/user.ts': USER }
    expect(faults(sources)[0]).toMatch(/^src\/one\.ts:\d: \w+ is exported, but no other file uses it$/)
  })

  it('of the product are refused where only tests use them, unless their file does too', () => {
    const user = `import { dead, part } from '../src/one'`
    const source = '/** part */\nexport function part() {}\n/** dead */\nexport const dead = 1\npart()'
    expect(faults({ 'src/one.ts': source, 'tests/one.test.ts': user })).toEqual([
      'src/one.ts:4: dead is exported, but only tests use it',
    ])
    expect(
      faults({ 'tests/one.ts': source, 'tests/one.test.ts': `import { dead, part } from './one'` }),
    ).toEqual([])
  })

  it.each([
    ['an import of its type', `import type { used } from './one'`],
    ['a file that exports all of it again', USER.replace('./one', './all')],
    ['an import of everything', `import * as all from './one'`],
    ['an import at run time', `await import('./one')`],
    ['the type of an import', `type One = import('./one').used`],
    ['a pattern of files', `import.meta.glob<{ used: 1 }>('./*.ts')`],
  ])('are used by %s', (_how, user) => {
    const sources = { 'src/one.ts': 'export const used = 1', 'src/all.ts': `export * from './one'` }
    expect(faults({ ...sources, 'src/user.ts': user })).toEqual([])
  })

  it('are used by a script that names their file, and a type by an export that names it', () => {
    const source = 'export interface Part {}\nexport const used: Part = {}'
    expect(faults({ 'src/one.ts': source, 'scripts/user.mjs': `load('src/one.ts')` })).toEqual([])
    expect(faults({ 'src/one.ts': source, 'src/user.ts': USER })).toEqual([])
  })
})
