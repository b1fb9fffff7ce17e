import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { openApp, words } from '../../e2e/electron/appWindow'
import { RunningPace } from '../../support/runningPace'
import { folderForManyFiles } from '../../support/temporaryFolder'
import { type PageTask, recordPageTasks } from '../../support/windowTasks'

/** What the window may do at once while it should answer a person, on the processor of `RunningPace`. */
const MOST_MS = 50
const FOLDERS = 780
const FILES_A_FOLDER = 100
const SURVEY_MS = 200_000
/** Until a page that was opened has all of its parts. */
const OPENING_MS = 1500
/** The middle one is judged: even CPU time is longer where another program shares the core's caches. */
const OPENINGS = 3
const EXTENSIONS = 'txt jpg js ts c h md json png html css py o so gz xml svg mp3 pdf zip'.split(' ')

/** 78,000 small files of twenty types, some of them alike. */
async function manyFiles(): Promise<string> {
  const folder = await folderForManyFiles()
  const random = seededRandom(20)
  const noise = Buffer.alloc(64 * 1024)
  random.fillBytes(noise)
  const text = Buffer.from('the same words in one line after another\n'.repeat(1600))
  for (let at = 0; at < FOLDERS; at++) {
    const inner = join(folder, `d${at % 20}`, `e${at}`)
    mkdirSync(inner, { recursive: true })
    for (let file = 0; file < FILES_A_FOLDER; file++) {
      const from = 512 * random.below(100)
      const content = (random.below(2) === 0 ? noise : text).subarray(from, from + random.below(6000))
      writeFileSync(join(inner, `f${file}.${EXTENSIONS[random.below(EXTENSIONS.length)]}`), content)
    }
  }
  return folder
}

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

it('the window stays responsive while many files are surveyed and when Survey is opened again', async () => {
  const source = await manyFiles()
  const { app, page, drop } = await openApp()
  await page.getByText(words('source.drop.title')).waitFor()
  await drop(source)
  await page
    .getByRole('button', { name: words('source.read'), exact: true })
    .and(page.locator(':enabled'))
    .waitFor()

  const pace = new RunningPace()
  const endSurvey = await recordPageTasks(app)
  await page.keyboard.press('Tab')
  await page.evaluate(
    (label) => [...document.querySelectorAll('button')].find((one) => one.textContent === label)?.click(),
    words('source.read'),
  )
  await until(page, '.survey[aria-busy=true]', SURVEY_MS, pace)
  await until(page, '.survey[aria-busy=false]', SURVEY_MS, pace)
  await page.waitForTimeout(OPENING_MS)
  const surveying = await endSurvey()

  const open = (step: string) =>
    page.evaluate(
      (label) => document.querySelector<HTMLElement>(`nav [aria-label^="${label}"]`)?.click(),
      step,
    )
  const openings: PageTask[][] = []
  for (let time = 0; time < OPENINGS; time++) {
    await open(words('step.source'))
    await page.waitForTimeout(OPENING_MS)
    const endOpening = await recordPageTasks(app)
    await open(words('step.survey'))
    await until(page, '.survey', OPENING_MS, pace)
    await page.waitForTimeout(OPENING_MS)
    openings.push(await endOpening())
  }

  const most = (tasks: readonly PageTask[]) => Math.max(0, ...tasks.map(({ cpuMs }) => cpuMs))
  const opening = openings.toSorted((one, other) => most(one) - most(other))[Math.floor(OPENINGS / 2)] ?? []
  const mostMs = MOST_MS * pace.slowness()
  console.log(
    `at most ${mostMs.toFixed(1)} ms at this pace; longest task: ${most(surveying).toFixed(1)} ms of ${surveying.length} while surveying, ` +
      `${openings.map((tasks) => most(tasks).toFixed(1)).join(', ')} ms when opened again`,
  )
  expect(surveying.length).toBeGreaterThan(100)
  expect({ surveying: longest(surveying, mostMs), opening: longest(opening, mostMs) }).toEqual({
    surveying: [],
    opening: [],
  })
}, 300_000)
