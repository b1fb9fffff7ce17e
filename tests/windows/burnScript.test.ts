import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { burnWindowsScript } from '../../src/engine/sets/export/windowsBurnScript'
import type { PlannedVolume } from '../../src/engine/sets/volume/planned/plannedVolume'
import { temporaryFolder } from '../support/temporaryFolder'
import { compileForWindows, DRIVE_C, underWine, winePath } from '../support/wine'

const IMGBURN = 'Program Files (x86)/ImgBurn'
const ISOBURN = 'windows/system32/isoburn.exe'
/**
 * A name that the command interpreter could take for more than a name. It has no percent signs: Wine's expands what an expansion
 * gave once more, which Windows does not.
 */
const HOSTILE = '100 & (50) ^ !x! é'

const volumes = [1, 2].map(
  (index) =>
    ({ index, places: { number: `0${index}`, image: `images/0${index}.iso` } }) as unknown as PlannedVolume,
)

let plan: string
let shown: string

const burn = (...args: string[]) =>
  underWine(['cmd', '/c', 'burn-windows.cmd', ...args], { cwd: plan, env: { SHOWN: winePath(shown) } })

describe('the script that burns on Windows', () => {
  beforeEach(async () => {
    const folder = await temporaryFolder()
    plan = join(folder, HOSTILE)
    shown = join(folder, 'shown')
    mkdirSync(join(plan, 'images'), { recursive: true })
    writeFileSync(join(plan, 'burn-windows.cmd'), burnWindowsScript(volumes))
    writeFileSync(join(plan, 'images/01.iso'), 'an image')
    await compileForWindows('shownCommandLine.c', ISOBURN, '-municode')
    return () => rmSync(join(DRIVE_C, ISOBURN))
  })
  afterEach(() => {
    rmSync(join(DRIVE_C, IMGBURN), { recursive: true, force: true })
    rmSync(shown, { force: true })
  })

  it.each(['1', '01'])('hands volume %s to the burner of Windows, and ends as that does', async (volume) => {
    expect((await burn('E:', volume)).code).toBe(7)
    expect(readFileSync(shown, 'utf8')).toMatch(/isoburn\.exe" +\/Q E: /)
    expect(
      readFileSync(shown, 'utf8')
        .trim()
        .endsWith(`"${winePath(join(plan, 'images/01.iso'))}"`),
    ).toBe(true)
  })

  it('prefers ImgBurn, which reads the disc back', async () => {
    await compileForWindows('shownCommandLine.c', `${IMGBURN}/ImgBurn.exe`, '-municode')
    expect((await burn('E:', '1')).code).toBe(7)
    const image = winePath(join(plan, 'images/01.iso'))
    expect(readFileSync(shown, 'utf8')).toContain(
      `/MODE WRITE /SRC "${image}" /DEST E: /VERIFY YES /START /CLOSESUCCESS`,
    )
  })

  it.each([
    [[], 'usage: burn-windows.cmd DRIVE VOLUME'],
    [['E:'], 'usage: burn-windows.cmd DRIVE VOLUME'],
    [['1', 'E:'], 'usage: burn-windows.cmd DRIVE VOLUME'],
    [['E:', '1', '2'], 'usage: burn-windows.cmd DRIVE VOLUME'],
    [['E:', '3'], 'there is no such volume in this plan'],
    [['E:', '2'], 'images\\02.iso does not exist: build it first'],
  ])('refuses %j before anything is started', async (args, message) => {
    const { code, stderr } = await burn(...args)
    expect(stderr.trim()).toBe(message)
    expect(code).toBe(2)
    expect(existsSync(shown)).toBe(false)
  })
})
