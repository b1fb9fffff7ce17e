import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { FULL, STEPS } from './everyStep'
import { leadsThroughEveryStep } from './wholeJourney'
import { type Look, type Windows, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

/** The most that a step may move by itself, as browsers score it (Cumulative Layout Shift). */
const MOST = 0.02

interface Shift {
  readonly step: string
  readonly score: number
  readonly moved: readonly string[]
}

declare global {
  interface Window {
    shifts: Shift[]
    /** What the test does now. */
    stateOfStep?: string
  }
}

/** Notes every shift that no press or key of a person has caused. */
async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    interface Entry extends PerformanceEntry {
      readonly value: number
      readonly hadRecentInput: boolean
      readonly sources: readonly { readonly node: Node | null }[]
    }
    window.shifts = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[])
        if (!entry.hadRecentInput)
          window.shifts.push({
            step: [document.querySelector('h1')?.textContent, window.stateOfStep].join(' '),
            score: entry.value,
            moved: entry.sources.map(({ node }) => {
              const element = node instanceof Element ? node : node?.parentElement
              return `${element?.tagName ?? '?'}.${element?.className ?? ''}: ${(element?.textContent ?? '').slice(0, 60)}`
            }),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** The steps that moved too much, with what moved. */
async function tooMuch(page: Page): Promise<unknown[]> {
  const shifts = await page.evaluate(() => window.shifts)
  const scores = new Map<string, number>()
  for (const { step, score } of shifts) scores.set(step, (scores.get(step) ?? 0) + score)
  return [...scores]
    .filter(([, score]) => score >= MOST)
    .map(([step, score]) => ({
      step,
      score: score.toFixed(4),
      moved: shifts
        .filter((shift) => shift.step === step)
        .map(({ score: part, moved }) => `${part.toFixed(4)} ${moved.join(' | ')}`),
    }))
}

it.each<[string, Look]>([
  ['1440×900', { width: 1440, height: 900 }],
  ['900×600', { width: 900, height: 600 }],
])('nothing jumps by itself on the way to verified discs, at %s', async (_size, look) => {
  let page: Page | undefined
  const watched: Windows = {
    ...windows,
    async window(scenario, given) {
      page = await windows.window(scenario, given)
      await watchShifts(page)
      return page
    },
  }
  await leadsThroughEveryStep(watched, 'shifts', look)
  expect(page && (await tooMuch(page))).toEqual([])
})

it.each<readonly [string, Look]>([
  ['survey', {}],
  ['survey', { width: 900, height: 600 }],
  ['measure', {}],
  ['choose', {}],
  ['images', {}],
  ['settings', {}],
])('nothing jumps by itself in %s, %j', async (step, look) => {
  const page = await windows.window(FULL, look)
  await watchShifts(page)
  for (const [state, reach] of Object.entries(STEPS[step] ?? {})) {
    await page.evaluate((name) => (window.stateOfStep = name), state)
    await reach(page)
  }
  expect(await tooMuch(page)).toEqual([])
})
