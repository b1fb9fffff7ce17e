import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chosenMutants } from '../../../scripts/testing/mutants/choice.mjs'
import { withMarks } from '../../../scripts/testing/mutants/marks.mjs'
import { TestImports } from '../../../scripts/testing/mutants/nearTests.mjs'
import { placesIn } from '../../../scripts/testing/mutants/places.mjs'
import { MUTANT_VARIABLE, mutantPlugin, replaced } from '../../../scripts/testing/mutants/replacement.mjs'
import { scoreTable, survivorLine } from '../../../scripts/testing/mutants/report.mjs'
import { runToEnd } from '../../../scripts/testing/process.mjs'

/** Every change that is possible in a source: `kind: old -> new`. */
function changesIn(source: string): string[] {
  return placesIn('a.ts', source).flatMap(({ kind, start, end, options }) =>
    options.map((option) => `${kind}: ${source.slice(start, end)} -> ${option}`),
  )
}

describe('places that can be changed', () => {
  it.each([
    ['a < b', ['comparison: < -> <=', 'comparison: < -> >=']],
    ['(a /* === */) === b', ['comparison: === -> !==']],
    ['a - b', ['arithmetic: - -> +']],
    ['total += bytes', ['arithmetic: += -> -=']],
    ['f(7)', ['call: f(7) -> ;', 'bound: 7 -> 8', 'bound: 7 -> 6']],
    [
      'x = [0, 2n, 1e9]',
      ['0 -> 1', '2n -> 3n', '2n -> 1n', '1e9 -> (1e9 + 1)', '1e9 -> (1e9 - 1)'].map(
        (change) => `bound: ${change}`,
      ),
    ],
    ['if (x) y = z', ['condition: x -> true', 'condition: x -> false']],
    ['x = y ? a : b', ['condition: y -> true', 'condition: y -> false']],
    ['while (x) y = z', ['condition: x -> false']],
    ['x = a && b', ['logic: && -> ||']],
    ['x = (a as any) ?? b', ['fallback: (a as any) ?? b -> (a as any)', 'fallback: (a as any) ?? b -> b']],
    ['x = !y', ['negation: !y -> y']],
    ['x = !!y', ['negation: !!y -> !y']],
    ['x = await y', ['await: await y -> y']],
    ['await f()', ['call: await f() -> ;', 'await: await f() -> f()']],
    ['const f = () => { return true }', ['return: true -> false']],
    ['const f = (a) => a.has(b)', ['return: a.has(b) -> !(a.has(b))']],
    ['function f(): boolean { return g }', ['return: g -> !(g)']],
  ])('%s', (source, changes) => {
    expect(changesIn(source)).toEqual(changes)
  })

  it.each([
    ['types', `type A = 1 | 2; interface B { a: 3 }; let c: 4; enum E { a = 5 }`],
    ['imports', `import a from './a'; export * from './b'; x = import('./c')`],
    ['comments and strings', `/* a < b */ x = 'a < b'; y = "1" + z; z = \`a\` + size`],
    ['sums that may join texts', `x = a + b; x += y`],
    ['messages', 'x = said`${a < 1}`; y = saidAs(b + 1)'],
    ['errors', `throw new AppError('changed', a < 1 ? b : c, { path: d ?? e })`],
    ['names of properties', `x = { 1: y }`],
    ['numbers that are not whole', 'x = 1.5'],
    ['waiting times', `const POLL_MS = 20`],
    ['loops that would not end', `for (;;) x = y`],
  ])('are not in %s', (_, source) => {
    expect(changesIn(source)).toEqual([])
  })

  it('have their line, and are shown with what is around them', () => {
    const source = 'let a\nfor (const b of c) {\n  if (\n    b < d\n  ) a = b\n}\n'.padEnd(200)
    const place = placesIn('a.ts', source).find(({ kind }) => kind === 'comparison')
    expect(place).toMatchObject({ line: 4 })
    expect(source.slice(...(place?.shown ?? []))).toBe(source.trimEnd().slice(6))
  })

  it('are shown in their line where that is all that is short', () => {
    const source = `f(\n  b ||\n  (${'c + '.repeat(40)}c))`
    const place = placesIn('a.ts', source).find(({ kind }) => kind === 'logic')
    expect(source.slice(...(place?.shown ?? []))).toBe('  b ||')
  })

  it('are refused in a source with errors', () => {
    expect(() => placesIn('a.ts', 'x = = y')).toThrow(/^cannot parse a\.ts: /)
  })
})

describe('the choice of mutants', () => {
  const many = Array.from({ length: 60 }, (_, at) => `x[${at + 100}] = y${at} < z`).join('\n')
  const sources = new Map([
    ['src/large.ts', many],
    ['src/small.ts', 'x = y < z'],
  ])

  it('is the same for the same seed, and another for another', () => {
    const first = chosenMutants(sources, { count: 10, seed: 1 })
    expect(first).toHaveLength(10)
    expect(chosenMutants(sources, { count: 10, seed: 1 })).toEqual(first)
    expect(chosenMutants(sources, { count: 10, seed: 2 })).not.toEqual(first)
    expect(chosenMutants(sources, { count: 5, seed: 1 })).toEqual(first.slice(0, 5))
  })

  it('takes every place once when there are no more', () => {
    const all = chosenMutants(sources, { count: 1000, seed: 1 })
    expect(all).toHaveLength(121)
    expect(new Set(all.map(({ path, start }) => `${path} ${start}`)).size).toBe(121)
  })

  it('does not depend on lines before a place', () => {
    const moved = new Map([...sources].map(([path, source]) => [path, `// A comment.\n${source}`]))
    const shown = (given: typeof sources) =>
      chosenMutants(given, { count: 20, seed: 1 }).map((mutant) =>
        survivorLine({ mutant }).replace(/:\d+/, ''),
      )
    expect(shown(moved)).toEqual(shown(sources))
  })

  it('leaves out what cannot be parsed', () => {
    const source = 'const f = (a) => { a ?? {} }'
    expect(chosenMutants(new Map([['src/a.ts', source]]), { count: 9, seed: 1 })).toHaveLength(1)
  })
})

describe('a mutant', () => {
  const source = 'if (a < b) return\n'
  const mutant = {
    path: 'src/a.ts',
    kind: 'comparison',
    line: 1,
    start: 6,
    end: 7,
    old: '<',
    replacement: '<=',
    from: 'if (a < b) return',
    to: 'if (a <= b) return',
  }

  it('replaces its part of the source only', () => {
    expect(replaced(source, mutant)).toBe('if (a <= b) return\n')
  })

  it('is refused when the source is another', () => {
    expect(() => replaced(`\n${source}`, mutant)).toThrow('the mutant does not fit: src/a.ts has changed')
  })

  it('changes the one module that Vite loads from its path', () => {
    const [plugin] = mutantPlugin('/top', JSON.stringify(mutant))
    expect(plugin?.transform(source, '/top/src/a.ts')?.code).toBe('if (a <= b) return\n')
    expect(plugin?.transform(source, '/top/src/b/src/a.ts')).toBeUndefined()
    expect(plugin?.enforce).toBe('pre')
  })

  it('is what the tests load, whatever Vitest has kept of the file before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stowage-mutant-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(process.cwd(), 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
    const plugin = join(process.cwd(), 'scripts/testing/mutants/replacement.mjs')
    const files = {
      'a.ts': 'export const a = 1\n',
      'a.test.ts': `import { it } from 'vitest'; import { a } from './a'; it('', () => { if (a !== 1) throw Error('2') })`,
      'vitest.config.mjs': `import { mutantPlugin } from ${JSON.stringify(plugin)}; export default { plugins: mutantPlugin(import.meta.dirname) }`,
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const isPassed = async (replacement: string) => {
      const change = { path: 'a.ts', start: 17, end: 18, old: '1', replacement }
      const env = { ...process.env, [MUTANT_VARIABLE]: replacement && JSON.stringify(change) }
      const vitest = join(process.cwd(), 'node_modules/vitest/vitest.mjs')
      return (await runToEnd([process.execPath, vitest, 'run'], { cwd: folder, env })).ok
    }
    const passes: boolean[] = []
    for (const replacement of ['2', '1', '']) passes.push(await isPassed(replacement))
    expect(passes).toEqual([false, true, true])
  })

  it('needs no plugin where none is given', () => {
    expect(mutantPlugin('/top', '')).toEqual([])
  })

  it('is one line of the report', () => {
    expect(survivorLine({ mutant, outcome: 'none' })).toBe(
      `src/a.ts:1 comparison 'if (a < b) return' -> 'if (a <= b) return'`,
    )
    expect(survivorLine({ mutant, outcome: 'untested' })).toMatch(/ \(no test runs it\)$/)
  })

  it('counts in the table of its folder', () => {
    const other = { ...mutant, path: 'src/b/b.ts' }
    const outcomes = ['nearest', 'unit', 'none'].map((outcome) => ({ mutant, outcome }))
    const table = scoreTable([...outcomes, { mutant: other, outcome: 'untested' }])
    expect(table.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['folder', 'mutants', 'seen', 'by nearest', 'by unit', 'not seen', 'score'],
      ['src', '3', '2', '1', '1', '1', '67 %'],
      ['src/b', '1', '0', '0', '0', '1', '0 %'],
      ['all', '4', '2', '1', '1', '2', '50 %'],
    ])
  })
})

describe('the tests of a source', () => {
  const imports = new TestImports(
    new Map([
      ['src/engine/a/one.ts', ''],
      ['src/engine/a/two.ts', `import { one } from './one'`],
      ['src/engine/b/three.ts', `import { two } from '../a/two'\nimport type { one } from '../a/one'`],
      ['tests/unit/engine/a/two.test.ts', `import { two } from '../../../../src/engine/a/two'`],
      ['tests/unit/engine/a/other.test.ts', ''],
      ['tests/unit/cli/direct.test.ts', `const { one } = await import('../../../src/engine/a/one')`],
      ['tests/unit/cli/far.test.ts', `import { three } from '../../../src/engine/b/three'`],
      ['tests/unit/house/words.test.ts', `import { one } from '../../../src/engine/a/one'`],
      ['tests/command/run.test.ts', `import { two } from '../../src/engine/a/two'`],
    ]),
  )

  it('are nearest in the folder that mirrors its own and where they import it', () => {
    expect(imports.testsOf('src/engine/a/one.ts')).toEqual({
      nearest: ['tests/unit/cli/direct.test.ts', 'tests/unit/engine/a/two.test.ts'],
      unit: ['tests/unit/cli/far.test.ts'],
    })
  })

  it('are none where nothing loads it', () => {
    expect(imports.testsOf('src/engine/c.ts')).toEqual({ nearest: [], unit: [] })
  })
})

describe('marks of places', () => {
  it.each([
    ['function f() { return a < 1 }', 'a <', 'function f() {m(22); return a < 1 }'],
    ['const f = (a) => a < 1', 'a <', 'const f = (a) => (m(17),a < 1)'],
    ['const f = () => () => ({ a: 1 })', '1', 'const f = () => () => (m(28),({ a: 1 }))'],
    ['class A { #f(a: number) { g(() => a) } }', 'g(', 'class A { #f(a: number) {m(26); g(() => a) } }'],
    ['x = a < 1', 'a', 'x = a < 1\n;m(4);'],
    ['f = (a = 1) => a', '1', 'f = (a = 1) => a\n;m(9);'],
  ])('%s: %s', (source, place, marked) => {
    expect(withMarks('a.ts', source, [source.indexOf(place)], (offset) => `m(${offset})`)).toBe(marked)
  })

  it('are as many in one function as it has places', () => {
    const source = 'f = (a, b) => a < b'
    expect(withMarks('a.ts', source, [14, 18], (offset) => `m(${offset})`)).toBe(
      'f = (a, b) => (m(18),(m(14),a < b))',
    )
  })
})
