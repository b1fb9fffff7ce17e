import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SINGLE_PLACES, strayUses } from './singlePlaces'
import { houseFiles, scriptFiles } from './sourceFiles'

describe('what only one file may do', () => {
  it('is done nowhere else', () => {
    const files = scriptFiles('src', 'renderer')
    expect(files.length).toBeGreaterThan(20)
    expect(files.flatMap((file) => strayUses(file, readFileSync(file, 'utf8')))).toEqual([])
  })

  it('names files that exist', () => {
    const files = new Set(houseFiles())
    expect(SINGLE_PLACES.flatMap((place) => place.files).filter((file) => !files.has(file))).toEqual([])
  })

  it.each([
    'const began = Date.now()',
    'const began = performance.now()',
    'const began = globalThis.performance.now()',
    'const today = new Date()',
    'const today = Date()',
    'const began = process.hrtime.bigint()',
    `const now = Date['now']`,
    'window.stowage.call.survey.start({})',
    'const { stowage } = { stowage: globalThis.stowage }',
    `import { ipcMain } from 'electron'`,
    `electron.ipcMain.handle('x', () => {})`,
    `import { ipcRenderer } from 'electron'`,
    `page.webContents.send('x')`,
    'shell.openPath(chosen)',
  ])('is found: %s', (source) => {
    expect(strayUses('src/engine/any.ts', source).length).toBeGreaterThan(0)
  })

  it.each([
    'const day = new Date(clock.wallMs())',
    'const now = clock.monotonicMs()',
    'child.send({})',
    `// Date.now() is for clock.ts`,
    'const stowage = api.stowage',
  ])('does not take in: %s', (source) => {
    expect(strayUses('src/engine/any.ts', source)).toEqual([])
  })
})
