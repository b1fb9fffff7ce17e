import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { folderIn, folderOrders, importCircles, whyBackwards } from './importCircles'
import { importsIn, importsOf, includesOf, nativeFiles, scriptFiles } from './sourceFiles'

const facts = [
  ...scriptFiles('src', 'renderer').flatMap((file) => importsIn(file)),
  ...nativeFiles().flatMap((file) => includesOf(file, readFileSync(file, 'utf8'))),
]
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
      'src/engine/sets/volume',
      'renderer/src',
      'renderer/src/steps',
      'native/src',
      'native/src/core',
    ])
    const backwards = orders.flatMap((order) => facts.map((fact) => whyBackwards(fact, order)))
    expect(backwards.filter((why) => why !== null)).toEqual([])
  })

  it('are all in the order that the page states', () => {
    const all = [...scriptFiles(), ...nativeFiles()]
    for (const { room, folders } of orders) {
      const there = all.flatMap((file) => folderIn(room, file) ?? [])
      expect(new Set(folders)).toEqual(new Set(there))
    }
  })

  it('are those of C++ includes too', () => {
    const [order] = folderOrders('native/src/core: hashing < anchors < chunks')
    const source = '#include "core/chunks/chunkCutter.h"\n#include "core/hashing/gearHash.h"\n#include <span>'
    const included = includesOf('native/src/core/anchors/anchors.h', source)
    expect(included.map((fact) => order && whyBackwards(fact, order))).toEqual([
      'native/src/core/anchors/anchors.h:1 imports native/src/core/chunks/chunkCutter.h: ' +
        'chunks does not come before anchors (docs/architecture.md)',
      null,
    ])
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
