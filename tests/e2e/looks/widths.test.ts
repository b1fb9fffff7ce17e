import { describe, expect, it } from 'vitest'
import { windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

describe('what is there or not', () => {
  it('never scrolls the window sideways', async () => {
    for (const width of [900, 1000, 1440]) {
      const page = await windows.window({ history: true, found: 500 }, { width, height: 600 })
      for (const key of ['6', '2', '3', '4', '5', '8', '1']) {
        await page.keyboard.press(`Control+${key}`)
        const over = await page.evaluate(
          () =>
            [...document.querySelectorAll('.page-body, .top, .page-head, .strip')].filter(
              (box) => box.scrollWidth > box.clientWidth,
            ).length,
        )
        expect(over, `step ${key} at ${width}`).toBe(0)
        if (key === '6')
          await page
            .getByRole('button', { name: /^Open Photos/ })
            .first()
            .click()
      }
    }
  })
})
