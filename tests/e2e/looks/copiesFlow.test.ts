import { describe, expect, it } from 'vitest'
import { button, radio } from '../renderer/controls'
import { LOOKS, see } from '../renderer/everyLook'
import { speakGerman } from '../renderer/speakGerman'
import { finish, showAs, windowsForTests } from '../renderer/windowUnderTest'
import { verified } from '../renderer/writtenSet'

const windows = windowsForTests()

describe('two copies by one start', () => {
  it('cut and cover no text in any look, in German neither', async () => {
    const more = { copyFolders: ['/media/shelf', '/media/bank'], apart: 'one-disk' } as const
    const page = await verified(windows, {}, more)
    await button(page, 'Burn or copy…').click()
    await radio(page, /^A folder or mounted disk/).press('Space')
    const second = page.locator('.write-second')
    for (const [name, look] of LOOKS) {
      await showAs(page, look)
      await second.scrollIntoViewIfNeeded()
      await see(page, `copies-flow-form-${name}`)
    }
    await speakGerman(page)
    for (const [name, look] of LOOKS) {
      await showAs(page, look)
      await second.scrollIntoViewIfNeeded()
      await see(page, `copies-flow-form-german-${name}`)
    }
    await button(page, 'Beide Kopien von 9 Datenträgern schreiben').click()
    for (let copies = 1; copies <= 2; copies++) {
      await page.waitForFunction((count) => window.fake.callsOf('run.write').length === count, copies)
      await finish(page)
    }
    const after = page.locator('.after-write')
    await after.waitFor()
    for (const [name, look] of LOOKS) {
      await showAs(page, look)
      await after.scrollIntoViewIfNeeded()
      await see(page, `copies-flow-after-german-${name}`)
    }
    expect(await after.getByRole('heading').innerText()).toBe('Kopie 2 ist geschrieben')
  })
})
