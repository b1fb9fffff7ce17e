import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CommandEnd, stowage as command } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'

/** Without the place where other tests keep what was compiled. */
const stowage = (args: readonly string[], { home }: { home: string }): Promise<CommandEnd> =>
  command(args, { home, env: { NODE_COMPILE_CACHE: '' } })

describe('starting the command', () => {
  it('keeps what was compiled in the data folder, and works the same with it', async () => {
    const home = join(await temporaryFolder(), 'home')
    const first = await stowage(['help'], { home })
    expect(first.code).toBe(0)
    const kept = readdirSync(join(home, 'compiled'), { recursive: true })
    expect(kept.length).toBeGreaterThan(1)
    // Nobody else is to read what was surveyed, nor to change what runs.
    if (process.platform !== 'win32') expect(statSync(home).mode & 0o777).toBe(0o700)
    expect(await stowage(['help'], { home })).toEqual(first)
  })

  it('runs nothing from where others can write', async ({ skip }) => {
    if (process.platform === 'win32') skip('files have no such modes there')
    const home = join(await temporaryFolder(), 'home')
    const compiled = join(home, 'compiled')
    mkdirSync(compiled, { recursive: true })
    chmodSync(compiled, 0o777)
    expect((await stowage(['--version'], { home })).code).toBe(0)
    expect(readdirSync(compiled)).toEqual([])
  })

  it('follows no link for it', async () => {
    const folder = await temporaryFolder()
    const home = join(folder, 'home')
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(home)
    mkdirSync(elsewhere, { mode: 0o700 })
    symlinkSync(elsewhere, join(home, 'compiled'), 'junction')
    expect((await stowage(['--version'], { home })).code).toBe(0)
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('continues without a compile cache when there is no place for it', async () => {
    const home = join(await temporaryFolder(), 'file')
    writeFileSync(home, '')
    const { code, stdout } = await stowage(['--version'], { home })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(existsSync(join(home, 'compiled'))).toBe(false)
  })

  it.each(['20.20.2', '22.9.0', '22.14.0'])('refuses Node %s in one line', async (version) => {
    const folder = await temporaryFolder()
    const claim = join(folder, 'claim.cjs')
    writeFileSync(claim, `Object.defineProperty(process.versions, 'node', { value: '${version}' })`)
    const { code, stderr } = await command(['--version'], {
      home: join(folder, 'home'),
      env: { NODE_OPTIONS: `--require ${claim}` },
    })
    expect(stderr).toBe(`stowage: needs Node 22.15 or newer, and this is Node ${version}\n`)
    expect(code).toBe(1)
  })
})
