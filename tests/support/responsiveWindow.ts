import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import copy from '../../assets/copy/en/window.json'
import { RunningPace } from './runningPace'
import type { PageTask, TaskRecorder } from './windowTasks'

/** What the window may do at once while it should answer a person, on the processor of `RunningPace`. */
const MOST_MS = 50
const SURVEY_MS = 200_000
/** CPU time of the page's process during a survey: the aim is 4 s, half as much again is no chance any more. */
const MOST_SURVEYING_MS = 6000
/** Until a page that was opened has all of its parts. */
const OPENING_MS = 1500
/** The middle one is judged: even CPU time is longer where another program shares the core's caches. */
const OPENINGS = 3
const PACE_SAMPLES = 10

/** The longest tasks, longest first. CPU time counts: what other programs take of the core is not the window's doing. */
function longest(tasks: readonly PageTask[], mostMs: number): string[] {
  return tasks
    .filter(({ cpuMs }) => cpuMs > mostMs)
    .toSorted((one, other) => other.cpuMs - one.cpuMs)
    .map(
      ({ startMs, cpuMs, wallMs }) =>
        `${cpuMs.toFixed()} ms (wall ${wallMs.toFixed()}) at ${startMs.toFixed()}`,
    )
}

/** Waits without asking the page more than twice a second: the driver's own questions are work of the page too. */
async function until(page: Page, selector: string, limitMs: number, pace: RunningPace): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await page.evaluate((wanted) => document.querySelector(wanted) !== null, selector))) {
    if (performance.now() > end) throw new Error(`${selector} did not come within ${limitMs} ms`)
    pace.sample()
    await new Promise((wait) => setTimeout(wait, 500))
  }
}

async function sampleUntil(isOver: () => boolean, pace: RunningPace): Promise<void> {
  while (!isOver()) {
    pace.sample()
    await new Promise((wait) => setTimeout(wait, 100))
  }
}

/**
 * Fails where the page does too much at once while a survey of many files runs and when Survey is opened again after it.
 * @param page in the Source step, with a source
 * @param whileRunning what goes on between the survey's start and its end
 * @param processMs CPU time of the page's process by now, if that is judged too
 */
export async function expectResponsive(
  page: Page,
  record: TaskRecorder,
  whileRunning: () => Promise<void> = async () => {},
  processMs?: () => number,
): Promise<void> {
  const pace = new RunningPace()
  const beforeMs = processMs?.() ?? 0
  const endSurvey = await record()
  await page.keyboard.press('Tab')
  await page.evaluate(
    (label) => [...document.querySelectorAll('button')].find((one) => one.textContent === label)?.click(),
    copy['source.read'],
  )
  await until(page, '.survey[aria-busy=true]', SURVEY_MS, pace)
  const running = { isOver: false }
  await Promise.all([
    whileRunning().finally(() => {
      running.isOver = true
    }),
    sampleUntil(() => running.isOver, pace),
  ])
  await until(page, '.survey[aria-busy=false]', SURVEY_MS, pace)
  await page.waitForTimeout(OPENING_MS)
  const surveyingMs = (processMs?.() ?? 0) - beforeMs
  const surveying = await endSurvey()
  const surveyPace = pace.slowness()

  const open = (step: string) =>
    page.evaluate(
      (label) => document.querySelector<HTMLElement>(`nav [aria-label^="${label}"]`)?.click(),
      step,
    )
  const openings: PageTask[][] = []
  // The machine may be slower by now than it was during the survey.
  const openingPace = new RunningPace()
  for (let time = 0; time < OPENINGS; time++) {
    for (let sample = 0; sample < PACE_SAMPLES; sample++) openingPace.sample()
    await open(copy['step.source'])
    await page.waitForTimeout(OPENING_MS)
    const endOpening = await record()
    await open(copy['step.survey'])
    await until(page, '.survey', OPENING_MS, pace)
    await page.waitForTimeout(OPENING_MS)
    openings.push(await endOpening())
    for (let sample = 0; sample < PACE_SAMPLES; sample++) openingPace.sample()
  }

  const most = (tasks: readonly PageTask[]) => Math.max(0, ...tasks.map(({ cpuMs }) => cpuMs))
  const opening = openings.toSorted((one, other) => most(one) - most(other))[Math.floor(OPENINGS / 2)] ?? []
  const mostMs = MOST_MS * surveyPace
  const mostOpeningMs = MOST_MS * openingPace.slowness()
  console.log(
    `at most ${mostMs.toFixed(1)} and ${mostOpeningMs.toFixed(1)} ms at this pace; longest task: ${most(surveying).toFixed(1)} ms of ${surveying.length} while surveying, ` +
      `${openings.map((tasks) => most(tasks).toFixed(1)).join(', ')} ms when opened again`,
  )
  expect(surveying.length).toBeGreaterThan(100)
  if (processMs) {
    console.log(`CPU time of the page's process while surveying: ${(surveyingMs / surveyPace).toFixed()} ms`)
    expect(surveyingMs / surveyPace).toBeLessThan(MOST_SURVEYING_MS)
  }
  expect({ surveying: longest(surveying, mostMs), opening: longest(opening, mostOpeningMs) }).toEqual({
    surveying: [],
    opening: [],
  })
}
