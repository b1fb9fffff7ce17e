import { describe, expect, it } from 'vitest'
import { ROOMS, whyForbidden } from './importArrows'
import { importsIn, importsOf, scriptFiles } from './sourceFiles'

const forbidden = (file: string, source: string) =>
  importsOf(file, source)
    .map((fact) => whyForbidden(fact))
    .filter((why) => why !== null)

describe('imports', () => {
  it('go only along the arrows of the house', () => {
    const files = scriptFiles(...ROOMS.map((room) => room.folder))
    expect(files.length).toBeGreaterThan(ROOMS.length)
    expect(
      files
        .flatMap((file) => importsIn(file))
        .map((fact) => whyForbidden(fact))
        .filter((why) => why !== null),
    ).toEqual([])
  })

  it.each([
    ['renderer/src/view.ts', `import fs from 'node:fs'`],
    ['renderer/src/view.ts', `import { readFile } from 'fs/promises'`],
    ['renderer/src/view.ts', `import { plan } from '../../src/domain/plan'`],
    ['renderer/src/view.ts', `const electron = await import('electron')`],
    ['renderer/src/source/view.ts', `import { Chart } from 'chart.js/auto'`],
    ['src/domain/plan.ts', `import type { Survey } from '../contract/dto/survey'`],
    ['src/domain/plan.ts', `export * from 'node:path'`],
    ['src/domain/plan.ts', `type Survey = import('../contract/dto/survey').Survey`],
    ['src/contract/schema.ts', `import { plan } from '../engine/plan'`],
    ['src/contract/schema.ts', `export { plan } from '../engine/plan'`],
    ['src/primitives/bytes.ts', `import { z } from 'zod'`],
    ['src/main/window.ts', `import { engine } from '../engine/engine'`],
    ['src/main/window.ts', `import Database from 'better-sqlite3'`],
    ['src/preload/preload.ts', `const fs = require('node:fs')`],
    ['src/engine/engine.ts', `import { app } from 'electron'`],
    ['src/engine/engine.ts', `import { survey } from '../cli/survey'`],
    ['src/cli/entry.ts', `import { window } from '../main/window'`],
  ])('are refused in %s: %s', (file, source) => {
    const [why, ...others] = forbidden(file, source)
    expect(others).toEqual([])
    expect(why).toMatch(/^\S+:1 imports \S+: \S+ may not, because .+ \(docs\/architecture\.md\)$/)
  })

  it.each([
    [
      'src/engine/engine.ts',
      `import { plan } from '../domain/plan'\nimport Database from 'better-sqlite3'\nimport 'node:fs'`,
    ],
    [
      'renderer/src/charts/curve.tsx',
      `import { Chart } from 'chart.js'\nimport { schema } from '../../../src/contract/schema'`,
    ],
    ['src/contract/schema.ts', `import type { Plan } from '../domain/plan'\nexport * from '../domain/plan'`],
    ['src/cli/entry.ts', `import { engine } from '../engine/engine'\nimport './commands'`],
  ])('are allowed in %s: %s', (file, source) => {
    expect(forbidden(file, source)).toEqual([])
  })
})
