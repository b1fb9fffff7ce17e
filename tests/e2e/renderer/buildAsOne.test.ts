import { expect, it } from 'vitest'
import { button, region } from './controls'
import { planned } from './waysToStates'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

declare global {
  interface Window {
    /** All that the strip and the line below the title have shown. */
    shownLines?: Set<string>
  }
}

it('a build and its verification are one run: one title, and the strip is never idle', async () => {
  const page = await windows.window({
    sources: [{ path: '/media/photos/Photos 2003–2024', kind: 'folder', name: 'Photos 2003–2024' }],
  })
  await planned(page)
  await button(page, 'Build and verify').click()
  await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
  await finish(page)
  await page.waitForFunction(() => window.fake.callsOf('run.build').length === 1)
  await advance(page, 0.43)
  const stages = region(page, 'Progress by phase')
  await stages.getByText('43 %').waitFor()
  await stages.getByText('waiting').waitFor()
  await picture(page, 'build-one-run-1-building')
  await page.evaluate(() => {
    const lines = new Set<string>()
    window.shownLines = lines
    const note = () => {
      const says = document.querySelector('h1')?.parentElement?.textContent
      const strip = document.querySelector('.strip > p')?.textContent
      for (const line of [says, strip]) if (line) lines.add(line)
    }
    note()
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await finish(page)
  await page.waitForFunction(() => window.fake.callsOf('run.verify').length === 1)
  await advance(page, 0.6)
  await stages.getByText('60 %').waitFor()
  await picture(page, 'build-one-run-2-checking')
  const lines = await page.evaluate(() => [...(window.shownLines ?? [])])
  expect(lines).toContain('Next: Verifying')
  expect(lines).not.toContain('Nothing is running')
  expect(lines.filter((line) => line.startsWith('Build'))).toEqual([
    'BuildAll volumes are built, then read back and compared.',
  ])
  await finish(page)
  await page.getByText('Built and verified', { exact: false }).first().waitFor()
})
