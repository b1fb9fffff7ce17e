import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'

const BUNDLE = fileURLToPath(new URL('../../dist/cli/stowage.cjs', import.meta.url))

async function smallSource(): Promise<{ folder: string; source: string; home: string }> {
  const folder = await temporaryFolder()
  const source = join(folder, 'source')
  mkdirSync(source)
  writeFileSync(join(source, 'file'), 'content')
  return { folder, source, home: join(folder, 'home') }
}

describe('results on a full disk', () => {
  it.for([['media'], ['help'], ['media', '--json']])('end %j with the reason', async (args, { skip }) => {
    if (!existsSync('/dev/full')) skip('there is no /dev/full here')
    const { home } = await smallSource()
    const command = [process.execPath, BUNDLE, ...args].map((word) => `'${word}'`).join(' ')
    const { status, stderr } = spawnSync('sh', ['-c', `${command} > /dev/full`], {
      encoding: 'utf8',
      env: { ...process.env, STOWAGE_HOME: home },
    })
    expect(stderr).toBe('stowage: cannot write the output: no space left on the device\n')
    expect(status).toBe(4)
  })

  it('do not end the work when only progress and notes are lost', async ({ skip }) => {
    if (!existsSync('/dev/full')) skip('there is no /dev/full here')
    const { source, home } = await smallSource()
    const command = `'${process.execPath}' '${BUNDLE}' survey '${source}' --samples none 2> /dev/full`
    const env = { ...process.env, STOWAGE_HOME: home }
    expect(spawnSync('sh', ['-c', command], { encoding: 'utf8', env })).toMatchObject({ status: 0 })
  })
})

describe('a size with a space', () => {
  it('is a medium like the same size without it', async () => {
    const { folder, source, home } = await smallSource()
    const out = join(folder, 'plan')
    const planned = await stowage(['plan', source, '--medium', 'custom:20 MB', '--out', out, '--json'], {
      home,
    })
    expect(planned.code).toBe(0)
    expect(JSON.parse(planned.stdout).medium).toMatchObject({ id: 'custom:20MB', name: 'Image of 20 MB' })
    const args = ['options', source, '--samples', 'none', '--medium', 'folder:20 MB', '--json']
    const compared = await stowage(args, { home })
    expect(JSON.parse(compared.stdout).request.mediumIds).toEqual(['folder:20MB'])
  })
})

describe('a drive that is gone', () => {
  it('is named in words', async ({ skip }) => {
    const { folder, source, home } = await smallSource()
    const at = join(folder, 'drive')
    mkdirSync(at)
    const drive = spawn('bindfs', ['-f', source, at], { stdio: 'ignore' })
    const isMissing = await new Promise((resolve) => {
      drive.once('error', () => resolve(true))
      drive.once('spawn', () => resolve(false))
    })
    if (isMissing) return skip('bindfs is missing')
    try {
      await expect.poll(() => readdirSync(at), { timeout: 20_000 }).toEqual(['file'])
      const ended = new Promise((resolve) => drive.once('exit', resolve))
      drive.kill('SIGKILL')
      await ended
      const { code, stderr } = await stowage(['survey', at, '--samples', 'none'], { home })
      expect(stderr).toBe(`stowage: cannot read ${at}: the drive or server that holds it is gone\n`)
      expect(code).toBe(2)
    } finally {
      drive.kill('SIGKILL')
      execFileSync('umount', ['-l', at])
    }
  })
})
