import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { button } from './controls'
import { FULL, STEPS } from './everyStep'
import { leadsThroughEveryStep } from './wholeJourney'
import { advance, finish, type Look, type Windows, windowsForTests } from './windowUnderTest'

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

it('nothing jumps by itself on the way to verified discs', async () => {
  expect(await jumpsOnTheWay({ width: 1440, height: 900 })).toEqual([])
})

it('nothing jumps by itself on the way to verified discs, at 900×600', { tags: 'long' }, async () => {
  expect(await jumpsOnTheWay({ width: 900, height: 600 })).toEqual([])
})

async function jumpsOnTheWay(look: Look): Promise<unknown[] | undefined> {
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
  return page && (await tooMuch(page))
}

it('nothing jumps by itself while a survey runs and ends', async () => {
  expect(await jumpsOfSurvey({ width: 1440, height: 900 })).toEqual([])
})

it('nothing jumps by itself while a survey runs and ends, at 900×600', { tags: 'long' }, async () => {
  expect(await jumpsOfSurvey({ width: 900, height: 600 })).toEqual([])
})

async function jumpsOfSurvey(look: Look): Promise<unknown[]> {
  const page = await windows.window(FULL, look)
  await button(page, 'Start survey').click()
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await watchFromNowOn(page)
  for (const share of [0.2, 0.5, 0.9, 1]) {
    await advance(page, share)
    await drawn(page)
  }
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  await drawn(page)
  return tooMuch(page)
}

it('nothing jumps by itself in a low window while a plan is made', async () => {
  const page = await windows.window(FULL, { width: 900, height: 600 })
  await button(page, 'Start survey').click()
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await finish(page)
  await button(page, 'Plan discs').click()
  await button(page, 'Make the plan').click()
  await watchFromNowOn(page)
  await finish(page)
  await page.getByRole('option', { name: /^PHOTOS_01: / }).waitFor()
  await drawn(page)
  const footer = page.locator('footer.strip')
  expect((await footer.boundingBox())?.height).toBe(56)
  await page.keyboard.press('Shift')
  await page.waitForFunction(() => document.querySelector('footer.strip')?.clientHeight === 27)
  const shifts = await page.evaluate(() => window.shifts.map(({ moved }) => moved.join(' | ')))
  expect(shifts.filter((each) => each.includes('FOOTER'))).toEqual([])
})

/** Watches once what moves does not count as caused by the press before, as it does for half a second. */
async function watchFromNowOn(page: Page): Promise<void> {
  const pressed = await page.evaluate(() => performance.now())
  await page.waitForFunction((since) => performance.now() - since > 600, pressed)
  await watchShifts(page)
}

/** Waits until what has changed was drawn and its shifts are reported. */
function drawn(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  )
}

it('nothing jumps by itself in images', async () => {
  expect(await jumpsIn('images')).toEqual([])
})

it.each(['measure', 'choose', 'settings'])(
  'nothing jumps by itself in %s',
  { tags: 'long' },
  async (step) => {
    expect(await jumpsIn(step)).toEqual([])
  },
)

async function jumpsIn(step: string): Promise<unknown[]> {
  const page = await windows.window(FULL)
  await watchShifts(page)
  for (const [state, reach] of Object.entries(STEPS[step] ?? {})) {
    await page.evaluate((name) => (window.stateOfStep = name), state)
    await reach(page)
  }
  return tooMuch(page)
}
