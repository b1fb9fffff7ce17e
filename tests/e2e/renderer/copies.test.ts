import { describe, expect, it } from 'vitest'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'
import { now } from './checkedVolumes'
import { button, callsOf, region } from './controls'
import { HOME } from './keptSets'
import { speakGerman } from './speakGerman'
import { picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()
const ASK = /^Is .*, surveyed .*, safe to delete\?$/

/** The Catalog step with two copies of one disc. */
async function twoCopies() {
  const first = volumeDue('PHOTOS_01', 1, now, { checkedDays: 20, dueDays: 345 })
  const page = await windows.window({
    history: true,
    checksDue: [first, { ...first, copy: 2 }],
    copies: [volumeCopy(1, 'home'), volumeCopy(2, 'parents’ house')],
  })
  await page.keyboard.press('Control+6')
  const rows = region(page, 'Discs and images').getByRole('row')
  await rows.nth(2).waitFor()
  return { page, rows }
}

describe('copies in the catalog', () => {
  it('have a row each, with the place where each is kept', { tags: 'long' }, async () => {
    const { rows } = await twoCopies()
    expect(await rows.filter({ hasText: 'home' }).count()).toBe(1)
    expect(await rows.filter({ hasText: 'parents’ house' }).count()).toBe(1)
  })

  it('are noted as lost and found again, which can be undone, by the keyboard', async () => {
    const { page, rows } = await twoCopies()
    const second = rows.filter({ hasText: 'parents’ house' })
    await second.getByRole('button', { name: 'Note PHOTOS_01, copy 2, as lost' }).focus()
    await page.keyboard.press('Enter')
    await second.getByText(/^lost \d/).waitFor()
    await page.getByText('Noted as lost: PHOTOS_01, copy 2.').waitFor()
    await page.keyboard.press('Control+z')
    await second.getByText(/^verified \d/).waitFor()
    await second.getByRole('button', { name: 'Note PHOTOS_01, copy 2, as lost' }).click()
    await second.getByRole('button', { name: 'Note PHOTOS_01, copy 2, as found' }).click()
    await second.getByText(/^verified \d/).waitFor()
    expect(await callsOf(page, 'copies.note')).toMatchObject([
      { of: 'p1:PHOTOS_01', copy: 2, kind: 'lost' },
      { of: 'p1:PHOTOS_01', copy: 2, kind: 'found' },
      { kind: 'lost' },
      { kind: 'found' },
    ])
  })

  it('are listed when they are lost, though there is nothing to verify', { tags: 'long' }, async () => {
    const lost = volumeCopy(2, 'attic', { state: 'lost', lostWallMs: now })
    const page = await windows.window({ history: true, copies: [lost] })
    await page.keyboard.press('Control+6')
    const row = region(page, 'Discs and images').getByRole('row').filter({ hasText: 'attic' })
    await row.getByText(/^lost \d/).waitFor()
    await row.getByRole('button', { name: 'Note PHOTOS_01, copy 2, as found' }).waitFor()
  })

  it('stay where they are lost: what is missing where, and the way to write it again', {
    tags: 'long',
  }, async () => {
    const lost = volumeCopy(2, 'attic', { planId: 'p-verified', state: 'lost', lostWallMs: now })
    const page = await windows.window({
      ...HOME,
      copies: [volumeCopy(1, 'home', { planId: 'p-verified' }), lost],
    })
    const attention = region(page, 'Needs attention')
    await attention.getByText(/^PHOTOS_01, copy 2, attic: lost .*1 other copy is left\.$/).waitFor()
    await picture(page, 'lost-home')
    await page.keyboard.press('Control+6')
    const panel = region(page, 'Lost copies')
    await panel.getByText(/^PHOTOS_01, copy 2, attic: lost/).waitFor()
    await panel.getByText('1 other copy is left.').waitFor()
    await picture(page, 'lost-catalog')
    await panel.getByRole('button', { name: /^Write again: PHOTOS_01, copy 2, attic/ }).click()
    const form = region(page, 'Burn or copy')
    await form.getByRole('textbox', { name: 'Copy' }).waitFor()
    expect(await form.getByRole('textbox', { name: 'Copy' }).inputValue()).toBe('2')
    expect(await page.getByRole('checkbox', { name: 'Select LETTERS_01' }).isChecked()).toBe(true)
    await picture(page, 'lost-write')
    await page.keyboard.press('Control+6')
    await panel.getByRole('button', { name: /^Found: PHOTOS_01, copy 2/ }).click()
    await panel.waitFor({ state: 'detached' })
    await page.keyboard.press('Alt+Home')
    expect(await attention.getByText('copy 2').count()).toBe(0)
  })

  it('fall due by month and place, as the table of all copies says', { tags: 'long' }, async () => {
    const second = { ...volumeDue('PHOTOS_01', 1, now, { checkedDays: 366, dueDays: -1 }), copy: 2 }
    const page = await windows.window({
      history: true,
      checksDue: [second, volumeDue('PHOTOS_01', 1, now, { checkedDays: 20, dueDays: 345 })],
      copies: [volumeCopy(1, 'home'), volumeCopy(2, 'parents’ house')],
    })
    await page.keyboard.press('Control+6')
    const rows = region(page, 'Verification calendar').getByRole('row')
    await rows.nth(2).waitFor()
    const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    expect(texts[1]).toBe('now parents’ house 1 PHOTOS_01')
    expect(texts[2]).toMatch(/^[A-Z][a-z]{2,3} \d{4} home 1 PHOTOS_01$/)
  })

  it('get another place, by the keyboard', { tags: 'long' }, async () => {
    const { page, rows } = await twoCopies()
    await rows.getByRole('button', { name: 'Place… of PHOTOS_01, copy 1' }).focus()
    await page.keyboard.press('Enter')
    const panel = region(page, 'Where is this copy kept?')
    await panel.waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('safe')
    await page.keyboard.press('Enter')
    await rows.filter({ hasText: 'safe' }).waitFor()
    expect(await panel.count()).toBe(0)
    expect(await callsOf(page, 'copies.note')).toMatchObject([
      { of: 'p1:PHOTOS_01', copy: 1, kind: 'place', place: 'safe', medium: 'optical disc' },
    ])
    await rows.getByRole('button', { name: 'Place… of PHOTOS_01, copy 1' }).click()
    await panel.getByRole('textbox', { name: 'Copy' }).fill('x')
    expect(await panel.getByRole('button', { name: 'Note place' }).isDisabled()).toBe(true)
    await panel.getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('Enter')
    expect(await panel.count()).toBe(0)
  })

  it('decide if a source is safe to delete, by the keyboard too', { tags: 'long' }, async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+6')
    const ask = page.getByRole('button', { name: ASK }).first()
    await ask.waitFor()
    await ask.focus()
    await page.keyboard.press('Enter')
    const panel = region(page, 'Safe to delete?')
    await panel.getByText('Iceland is not safe to delete.').waitFor()
    await panel.getByText('1,204 files, 21.4 GB, are on fewer than 2 good copies.').waitFor()
    await panel.getByText('3 files and 1 folder that rules left out are not kept.').waitFor()
    await panel
      .getByText('3-2-1 is not met: 2 copies of every file with the source, of 3;', { exact: false })
      .waitFor()
    await panel.getByText('parents’ house: 1 copy, 0 good').waitFor()
    expect(await callsOf(page, 'copies.safe')).toHaveLength(1)
    // The focus has moved to the panel, whose only button closes it.
    await page.keyboard.press('Enter')
    expect(await panel.count()).toBe(0)
  })

  it('say that a source is safe to delete, and that Stowage deletes nothing, in German too', {
    tags: 'long',
  }, async () => {
    const page = await windows.window({ history: true, isSafe: true })
    await page.keyboard.press('Control+6')
    await page.getByRole('button', { name: ASK }).first().click()
    const panel = region(page, 'Safe to delete?')
    await panel.getByText('Iceland is safe to delete.').waitFor()
    await panel.getByText('Stowage deletes nothing', { exact: false }).waitFor()
    await speakGerman(page)
    const german = region(page, 'Darf die Quelle gelöscht werden?')
    await german
      .getByText('Alle 1.204 Dateien, 21,4 GB, sind auf mindestens 2 guten Kopien an zwei Orten.')
      .waitFor()
    await german.getByText('Stowage löscht nichts', { exact: false }).waitFor()
  })

  it('are distinguished by the number that a person gives when a disc is verified', {
    tags: 'long',
  }, async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+6')
    await button(page, 'Verify a disc or image…').click()
    const panel = region(page, 'Verify a disc or image')
    await panel.getByRole('textbox', { name: 'Copy' }).fill('2')
    await button(page, 'Choose images…').click()
    await expect.poll(() => callsOf(page, 'check.start')).toMatchObject([{ copy: 2 }])
  })
})
