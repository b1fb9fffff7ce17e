import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'
import { stowageUnderWine, winePath } from '../support/wine'

describe('the command line on Windows', () => {
  it('prints the same list of media as here', async () => {
    const home = join(await temporaryFolder(), 'home')
    const there = await stowageUnderWine(['media'], { home })
    expect(there).toEqual(await stowage(['media'], { home }))
    expect(there.code).toBe(0)
  })

  it('ends with 2 and one line for what is no command', async () => {
    const home = join(await temporaryFolder(), 'home')
    const { code, stderr } = await stowageUnderWine(['nonsense'], { home })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^stowage: no command "nonsense": one of [^\n]*\n$/)
  })

  it('keeps a setting in the data folder', async () => {
    const home = join(await temporaryFolder(), 'home')
    const { code } = await stowageUnderWine(['config', 'set', 'medium', 'bd-r-50'], { home })
    expect(code).toBe(0)
    expect(readFileSync(join(home, 'settings.yaml'), 'utf8')).toContain('bd-r-50')
    const { stdout } = await stowageUnderWine(['config', 'get', 'medium'], { home })
    expect(stdout.trim()).toBe('bd-r-50')
  })

  it('names the places of the data in the form of Windows', async () => {
    const home = join(await temporaryFolder(), 'home')
    const { stdout } = await stowageUnderWine(['config', 'path'], { home })
    expect(stdout.trim()).toBe(`${winePath(home)}\\settings.yaml`)
  })

  it('makes a catalog, and finds the 7-Zip that comes along', async () => {
    const home = join(await temporaryFolder(), 'home')
    const { code, stdout, stderr } = await stowageUnderWine(['catalog', 'list'], { home })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).not.toBe('')
    expect(existsSync(join(home, 'catalog.db'))).toBe(true)
    const tools = await stowageUnderWine(['tools'], { home })
    expect(tools.stdout).toMatch(/7-Zip +26\.03/)
  })
})
