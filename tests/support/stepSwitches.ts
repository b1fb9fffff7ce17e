import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import choose from '../../assets/copy/en/chooseStep.json'
import { RunningPace } from './runningPace'
import type { TaskRecorder } from './windowTasks'

/** The aim is 100 ms; half as much again is no chance any more. */
const MOST_MS = 150
/** It is opened once, before the browser has compiled what draws it: 115 ms. */
const MOST_OF: Readonly<Record<string, number>> = { 'All options': 200 }
const ROUNDS = 3
/** Until a page has all of its parts. */
const OPENING_MS = 1500
const PACE_SAMPLES = 3

const PAGES = 'Home Source Survey Measure Choose Plan Build Catalog Restore Images Settings'.split(' ')

/** Clicks from within the page: the driver's own clicks are work of the page too. */
const click = (page: Page, selector: string, name: string) =>
  page.evaluate(
    ([within, label]) =>
      [...document.querySelectorAll<HTMLElement>(within)]
        .find((one) => (one.ariaLabel ?? one.textContent ?? '').startsWith(label))
        ?.click(),
    [selector, name] as const,
  )

/**
 * Fails where opening a page takes much CPU time of the window, from the click until all of it is
 * there, in the middle one of three rounds at the pace of the reference processor.
 */
export async function expectQuickSwitches(page: Page, record: TaskRecorder): Promise<void> {
  const took = new Map<string, number[]>()
  const pace = new RunningPace()
  const measure = async (name: string, act: () => Promise<void>): Promise<void> => {
    for (let sample = 0; sample < PACE_SAMPLES; sample++) pace.sample()
    const end = await record()
    await act()
    await page.waitForTimeout(OPENING_MS)
    const cpuMs = (await end()).reduce((sum, task) => sum + task.cpuMs, 0)
    took.set(name, [...(took.get(name) ?? []), cpuMs])
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const name of PAGES) {
      await measure(name, () => click(page, 'nav button', name))
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      // From the second round on it opens with the table of all options.
      if (name === 'Choose' && round === 0) {
        // The first answer takes the engine longer than a page takes to open.
        await page.getByRole('article').first().waitFor()
        await measure('All options', () => click(page, '.segmented label', choose['chooseView.options']))
      }
    }
  const middles = [...took].map(([name, all]) => {
    const sorted = all.toSorted((one, other) => one - other)
    const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
    return [name, Math.round(middle / pace.slowness())] as const
  })
  console.log(`CPU time of opening: ${middles.map(([name, ms]) => `${name} ${ms}`).join(', ')} ms`)
  const tooLong = middles.filter(([name, ms]) => !(ms <= (MOST_OF[name] ?? MOST_MS)))
  expect(tooLong).toEqual([])
}
