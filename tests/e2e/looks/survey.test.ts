import { describe, expect, it } from 'vitest'
import { see } from '../renderer/everyLook'
import { analysed, surveyed, unfold } from '../renderer/surveyStep'
import { picture, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

const LOOKS = [
  ['light-1440', { width: 1440, height: 900 }],
  ['dark-1440', { width: 1440, height: 900, dark: true }],
  ['light-1000', { width: 1000, height: 700 }],
  ['dark-1000', { width: 1000, height: 700, dark: true }],
  ['light-900', { width: 900, height: 600 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
  ['forced-1440', { width: 1440, height: 900, forced: true }],
] as const

describe('the pictures of the survey', () => {
  it.each(LOOKS)('render in every theme and size (%s)', async (name, look) => {
    const page = await surveyed(windows, { survey: { sketched: true, skipped: 7 } }, look)
    await page.getByRole('listbox', { name: /^File types by total size/ }).waitFor()
    await picture(page, `survey-${name}-summary`)
    await page.getByRole('radio', { name: 'Folders and years' }).click()
    await page.getByRole('img', { name: /^Bytes by the year/ }).waitFor()
    await see(page, `survey-${name}-folders`)
    await page.getByRole('radio', { name: 'Types' }).click()
    for (const line of ['7 files were not read', 'Duplicate files', 'Analysis']) await unfold(page, line)
    await page.getByRole('treegrid', { name: 'Duplicate files' }).waitFor()
    await page.getByRole('table', { name: 'Codecs' }).waitFor()
    for (const part of [
      'Types',
      'Repeats by block size',
      'Codecs',
      'Compression and deduplication together',
      'Duplicate files',
    ]) {
      await page
        .getByRole('region', { name: part, exact: true })
        .evaluate((region) => region.scrollIntoView())
      await picture(page, `survey-${name}-${part.toLowerCase().replaceAll(' ', '-')}`)
    }
  })
})

describe('forecasts', () => {
  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['forced', { forced: true }],
  ] as const)('let the lines be seen on their bands (%s)', async (_name, look) => {
    const page = await analysed(windows, { survey: { sketched: true } }, look)
    for (const chart of [/^Unique share by block size/, /^Size of one solid archive/]) {
      const drawn = page.getByRole('application', { name: chart }).locator('canvas')
      await drawn.scrollIntoViewIfNeeded()
      const painted = () =>
        drawn.evaluate((canvas: HTMLCanvasElement) => {
          const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
          const context = canvas.getContext('2d')
          if (!brush || !context) throw new Error('no canvas')
          const colour = (name: string) =>
            getComputedStyle(document.documentElement).getPropertyValue(name).trim()
          // A system's colour may be translucent: over another line it is a shade of its own.
          const seen = ['transparent', colour('--ink')].map((under) => {
            brush.clearRect(0, 0, 1, 1)
            for (const each of [under, colour('--accent')]) {
              brush.fillStyle = each
              brush.fillRect(0, 0, 1, 1)
            }
            return brush.getImageData(0, 0, 1, 1).data
          })
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
          let found = 0
          for (let at = 0; at < data.length; at += 4)
            if (seen.some((pixel) => pixel.every((value, channel) => value === data[at + channel])))
              found += 1
          return found
        })
      await expect.poll(painted).toBeGreaterThan(400)
    }
  })
})
