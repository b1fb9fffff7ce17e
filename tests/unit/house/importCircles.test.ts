import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { folderIn, folderOrders, importCircles, whyBackwards } from './importCircles'
import { importsIn, importsOf, scriptFiles } from './sourceFiles'

const facts = scriptFiles('src', 'renderer').flatMap((file) => importsIn(file))
const orders = folderOrders(readFileSync('docs/architecture.md', 'utf8'))

describe('imports between files', () => {
  it('make no circle', () => {
    expect(facts.length).toBeGreaterThan(1000)
    expect(importCircles(facts)).toEqual([])
  })

  it('are followed through several files, types and re-exports', () => {
    const found = importCircles([
      ...importsOf('src/a.ts', `import { b } from './b'\nimport { d } from './d'`),
      ...importsOf('src/b.ts', `export type { C } from './in/c'`),
      ...importsOf('src/in/c.tsx', `const a = await import('../a')`),
      ...importsOf('src/d.ts', `import 'a'`),
      ...importsOf('src/self.ts', `import type { Self } from './self'`),
    ])
    expect(found).toEqual([['src/a', 'src/b', 'src/in/c'], ['src/self']])
  })
})

describe('folders of a room', () => {
  it('import only folders that docs/architecture.md puts before them', () => {
    expect(orders.map(({ room }) => room)).toEqual([
      'src/domain',
      'src/domain/options',
      'src/engine',
      'src/engine/sets',
      'renderer/src',
      'renderer/src/steps',
    ])
    const backwards = orders.flatMap((order) => facts.map((fact) => whyBackwards(fact, order)))
    expect(backwards.filter((why) => why !== null)).toEqual([])
  })

  it('are all in the order that the page states', () => {
    for (const { room, folders } of orders) {
      const there = scriptFiles(room).flatMap((file) => folderIn(room, file) ?? [])
      expect(new Set(folders)).toEqual(new Set(there))
    }
  })

  const [order] = folderOrders('src/engine: jobs < native <\n  files')

  it.each([
    ['src/engine/native/addon.ts', '../files/flush'],
    ['src/engine/jobs/jobRunner.ts', '../unlisted/file'],
  ])('are refused in %s: %s', (file, target) => {
    const [fact] = importsOf(file, `import type { x } from '${target}'`)
    expect(fact && order && whyBackwards(fact, order)).toMatch(
      /:1 imports \S+: \w+ does not come before \w+ /,
    )
  })

  it.each([
    ['src/engine/files/write.ts', '../jobs/slowly'],
    ['src/engine/files/write.ts', './fileSystem'],
    ['src/engine/engine.ts', './files/flush'],
    ['src/cli/entry.ts', '../engine/files/flush'],
  ])('are allowed in %s: %s', (file, target) => {
    const [fact] = importsOf(file, `import { x } from '${target}'`)
    expect(fact && order && whyBackwards(fact, order)).toBeNull()
  })
})
