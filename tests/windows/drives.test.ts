import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'
import { asDrive, DRIVE_C, stowageUnderWine, underWine, winePath } from '../support/wine'

const TYPES = 'HKLM\\Software\\Wine\\Drives'

/** Wine knows another type of a drive only after it has ended. */
async function setDriveType(...words: string[]): Promise<void> {
  await underWine(['reg', ...words, '/f'], {})
  await promisify(execFile)('wineserver', ['-w'], {
    env: { ...process.env, WINEPREFIX: join(DRIVE_C, '..') },
  })
}

describe('the drives of Windows', () => {
  let folder: string
  let takeAway: () => void
  beforeEach(async () => {
    folder = await temporaryFolder()
    const disc = join(folder, 'disc')
    mkdirSync(disc)
    writeFileSync(join(disc, '.windows-label'), 'PHOTOS_01\n')
    takeAway = asDrive('D', disc)
    await setDriveType('add', TYPES, '/v', 'd:', '/d', 'cdrom')
  })
  afterEach(async () => {
    takeAway()
    await setDriveType('delete', TYPES, '/v', 'd:')
  })

  it('are listed with the labels of their discs, and how to burn there', async () => {
    const home = join(folder, 'home')
    const { code, stdout, stderr } = await stowageUnderWine(['drives'], { home })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^1 drive\.$/m)
    expect(stdout).toMatch(/^ +D: .*CDFS, PHOTOS_01/m)
    expect(stdout).toContain('PLAN\\burn-windows.cmd D: 1')
  })

  it('are not written to: the refusal names the batch file', async () => {
    const home = join(folder, 'home')
    const source = join(folder, 'source')
    mkdirSync(source)
    writeFileSync(join(source, 'a'), 'a')
    const plan = join(folder, 'plan')
    const planned = await stowage(['plan', source, '--medium', 'custom:1MB', '--out', plan], { home })
    expect(planned.code, planned.stderr).toBe(0)
    const { code, stderr } = await stowageUnderWine(['write', winePath(plan), '--drive', 'D:'], { home })
    expect(stderr).toContain('burn-windows.cmd in the plan folder burns an image')
    expect(code).toBe(7)
  })
})
