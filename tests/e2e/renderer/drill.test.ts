import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, callsOf } from './controls'
import { discDrill, planDrill, tryRestore } from './drillPanel'
import { HOME } from './keptSets'
import { advance, finish, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const panel = (page: Page) => page.getByRole('region', { name: 'Restore drill' })
const starts = (page: Page) => callsOf(page, 'drill.start')

describe('a restore drill', () => {
  it('runs with two interactions from Restore, and says first what it takes', async () => {
    const page = await windows.window({ history: true })
    await planDrill(page)
    const facts = await panel(page).getByRole('definition').allTextContents()
    expect(facts.map((text) => text.replaceAll('\u00a0', ' ')).map((text) => text.trim())).toEqual([
      '20 random files, 800 kB; at least one of each disc',
      'PHOTOS_01 and PHOTOS_02 (the built image or folder)',
      '800 kB needed, 52.0 GB free',
      expect.stringMatching(/^about 40 s/),
      'digests that this catalog proves',
    ])
    await panel(page).getByText('so a drill of it proves nothing of the discs', { exact: false }).waitFor()
    await button(page, 'Start the drill').click()
    expect(await starts(page)).toEqual([
      { volumes: ['/media/backup/Photos plan'], opened: 'o1', seed: 7, copy: null },
    ])
    await advance(page, 0.4)
    await page.locator('.strip').getByText('Restoring', { exact: false }).waitFor()
    await finish(page)
    await panel(page).getByText('20 of 20 files came back.', { exact: true }).waitFor()
    await panel(page)
      .getByText(/^The sample of 800.kB took 4\.2 s, 190.kB\/s on average\.$/)
      .waitFor()
    await panel(page).getByText('It proves nothing of the discs.', { exact: false }).waitFor()
    await panel(page).getByText('The restored files were removed again.', { exact: false }).waitFor()
  })

  it('takes a disc in place of the image in the folder of the plan', async () => {
    const page = await windows.window({ history: true, discsGiven: ['/media/PHOTOS_01'] })
    await discDrill(page)
    await panel(page).getByText('PHOTOS_01 and PHOTOS_02 (copy 1 at the bank)', { exact: true }).waitFor()
    expect(await panel(page).getByText('proves nothing', { exact: false }).count()).toBe(0)
    await button(page, 'Start the drill').click()
    expect(await starts(page)).toEqual([{ volumes: ['/media/PHOTOS_01'], opened: 'o2', seed: 7, copy: null }])
    await finish(page)
    await panel(page)
      .getByText('Read from PHOTOS_01 and PHOTOS_02 (copy 1 at the bank)', { exact: false })
      .waitFor()
    await button(page, 'Try the same sample again').click()
    expect(await starts(page)).toHaveLength(2)
  })

  it('shows which files did not come back, and why', async () => {
    const failed = { code: 'verification-failed', message: '5 files of 20 did not come back' } as const
    const page = await windows.window({ history: true, jobFails: { drill: failed } })
    await planDrill(page)
    await button(page, 'Start the drill').click()
    await finish(page)
    await panel(page).getByText('15 of 20 files came back', { exact: false }).waitFor()
    const wrong = panel(page).getByRole('list', { name: 'Files that did not come back' })
    expect(await wrong.getByRole('listitem').allTextContents()).toEqual(
      [0, 1, 2, 4, 5].map(
        (file) =>
          `Cannot restore IMG_000${file}.jpg: its content on the volume is damaged (SHA-256 differs).`,
      ),
    )
    await page.getByRole('button', { name: /^Restore, failed/ }).waitFor()
  })

  it('that is stopped has not failed, and can be started again', async () => {
    const page = await windows.window({ history: true })
    await planDrill(page)
    await button(page, 'Start the drill').click()
    await advance(page, 0.4)
    await button(page, 'Cancel').click()
    await page.getByText('The restore drill was stopped; its files were removed', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: /^Restore, failed/ }).count()).toBe(0)
    await button(page, 'Start the drill').click()
    expect(await starts(page)).toHaveLength(2)
  })

  it('asks for the password once, and keeps it nowhere in the window', async () => {
    const page = await windows.window({ history: true, setPassword: 'correct horse' })
    await page.keyboard.press('Control+7')
    await page.getByText('This set is encrypted.', { exact: false }).waitFor()
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.keyboard.press('Enter')
    await tryRestore(page)
    await button(page, 'Start the drill').click()
    expect(JSON.stringify(await starts(page))).not.toContain('password')
    expect(await page.evaluate(() => document.body.innerHTML)).not.toContain('correct horse')
  })

  it('asks which copy the volumes are where there are several', async () => {
    const page = await windows.window({ ...TWO_COPIES, history: true })
    await page.keyboard.press('Control+7')
    await button(page, 'Try a restore…').click()
    await panel(page).getByText('There are several copies.', { exact: false }).waitFor()
    await button(page, 'This is copy 2 at the bank').click()
    await button(page, 'Start the drill').click()
    expect(await starts(page)).toMatchObject([{ copy: 2 }])
  })

  it('does not start where the temporary folder has too little space', async () => {
    const page = await windows.window({ history: true, drillTakes: { freeBytes: 1000 } })
    await planDrill(page)
    expect(await button(page, 'Start the drill').isDisabled()).toBe(true)
  })

  it('names archives that are unpacked whole for a file in them', async () => {
    const unpacked = { archives: 2, bytes: 3_000_000_000 }
    const page = await windows.window({ history: true, drillTakes: { unpacked, spaceBytes: 3_000_800_000 } })
    await planDrill(page)
    await panel(page).getByText('all of 2 archives, 3.00 GB', { exact: false }).waitFor()
  })
})

describe('Home', () => {
  it('says when a restore was tried of a disc, and not of the image in the folder of the plan', async () => {
    const page = await windows.window({
      ...HOME,
      drills: [
        { of: 'built', planId: 'p-verified' },
        { of: 'atBank', planId: 'p-verified' },
      ],
    })
    const tried = page.getByRole('button', { name: /Try a restore of Letters of the family$/ })
    expect(await tried.textContent()).toBe('Restore tried in Mar 2026: 20 of 20, copy 1 at the bank')
    await tried.click()
    await button(page, 'Start the drill').click()
    expect(await starts(page)).toMatchObject([{ volumes: ['/media/backup/Letters plan'] }])
  })

  it('says nothing of a drill of the image in the folder of the plan', async () => {
    const page = await windows.window({ ...HOME, drills: [{ of: 'built', planId: 'p-verified' }] })
    const tried = page.getByRole('button', { name: 'Try a restore of Letters of the family' })
    expect(await tried.textContent()).toBe('Try a restore…')
  })
})

const copyOf = (copy: number, place: string) => ({
  planId: 'pa',
  setId: null,
  volume: 1,
  label: 'PHOTOS_01',
  copy,
  place,
  medium: null,
  path: null,
  writtenWallMs: 1_772_500_000_000,
  verifiedWallMs: null,
  damagedWallMs: null,
  lostWallMs: null,
  verifyByWallMs: null,
  state: 'unverified' as const,
})
const TWO_COPIES = { drillAsksCopy: true, copies: [copyOf(1, 'home'), copyOf(2, 'the bank')] }
