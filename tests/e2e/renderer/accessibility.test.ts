import axe, { type RunOnly } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { STATES } from './everyState'
import { FULL, STEPS } from './everyStep'
import { keep, ONE, rules, tile, tree } from './keptPanel'
import { type Look, showAs, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const LIGHT: Look = { width: 1440, height: 900 }
const DARK: Look = { ...LIGHT, dark: true }

/** Every rule of these tags; experimental ones too, of which each is on only where it is asked for. */
const RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'],
}

/** The state of each step that shows most of it. */
const FULLEST: Readonly<Record<string, string>> = {
  source: 'rules',
  survey: 'as-tables',
  measure: 'done',
  bands: 'done',
  choose: 'compared',
  plan: 'folder',
  build: 'verified',
  catalog: 'found',
  archive: 'judged',
  restore: 'found',
  images: 'existing',
  roms: 'unfolded',
  help: 'keys',
  settings: 'wrong',
}

it.each(Object.entries(FULLEST))('in %s axe finds nothing in the state "%s"', async (step, fullest) => {
  const page = await windows.window(FULL, LIGHT)
  const states = Object.entries(STEPS[step] ?? {})
  const last = states.findIndex(([state]) => state === fullest)
  expect(last).toBeGreaterThanOrEqual(0)
  for (const [, reach] of states.slice(0, last + 1)) await reach(page)
  await page.evaluate(axe.source)
  expect(await violationsOf(page)).toEqual([])
})

it.each(Object.entries(STEPS))(
  'in all states of %s axe finds nothing in either theme',
  { tags: 'long' },
  async (_step, states) => {
    const page = await windows.window(FULL, LIGHT)
    await page.evaluate(axe.source)
    const found: Record<string, string[]> = {}
    for (const [state, reach] of Object.entries(states)) {
      await reach(page)
      for (const [theme, look] of [
        ['light', LIGHT],
        ['dark', DARK],
      ] as const) {
        await showAs(page, look)
        const violations = await violationsOf(page)
        if (violations.length > 0) found[`${state}, ${theme}`] = violations
      }
      await showAs(page, LIGHT)
    }
    expect(found).toEqual({})
  },
)

it.each(['home', 'source'])('in %s axe finds nothing before there is anything', async (step) => {
  const { scenario = {}, reach } = STATES[step]?.nothing ?? {}
  const page = await windows.window(scenario, LIGHT)
  await page.evaluate(axe.source)
  await reach?.(page)
  await page.getByRole('heading', { name: 'Drop a folder here' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
})

function violationsOf(page: Page): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { axe: found } = window as unknown as { axe: typeof axe }
    const { violations } = await found.run(document, {
      runOnly,
      rules: Object.fromEntries(
        found.getRules(['experimental']).map(({ ruleId }) => [ruleId, { enabled: true }]),
      ),
      resultTypes: ['violations'],
      // It would load style sheets once more, which the policy of the page refuses.
      preload: false,
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.slice(0, 200)}`,
      ),
    )
  }, RULES)
}

interface Focused {
  readonly name: string
  readonly isSeen: boolean
}

/** The focused element, and whether a ring or another outline shows it or a part of it. */
function focusedNow(page: Page): Promise<Focused> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const active = document.getElementById(element.getAttribute('aria-activedescendant') ?? '')
    const parts = [element, element.parentElement, ...element.querySelectorAll('*'), active]
    const isSeen = parts.some((part) => {
      if (!part) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part)
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
    })
    const label = element.getAttribute('aria-label') ?? element.textContent ?? ''
    return {
      name: `${element.getAttribute('role') ?? element.localName} ${label.trim().slice(0, 60)}`,
      isSeen,
    }
  })
}

/** All that the Tab key reaches from the top of the page, in its order. */
async function tabOrder(page: Page): Promise<Focused[]> {
  const order: Focused[] = []
  await page.evaluate(() => document.querySelector('button')?.focus())
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => document.activeElement === document.body)) break
    order.push(await focusedNow(page))
  }
  return order
}

it('the Tab key reaches everything of the tree, its rules and the map, and each shows the focus', async () => {
  const page = await windows.window(ONE, LIGHT)
  await keep(page, 'Exports').waitFor()
  await tree(page).focus()
  for (const key of ['ArrowDown', 'Space']) await page.keyboard.press(key)
  await rules(page).locator('summary').focus()
  await page.keyboard.press('Enter')
  const inTree = await tabOrder(page)
  expect(inTree.filter(({ isSeen }) => !isSeen)).toEqual([])
  const names = inTree.map(({ name }) => name)
  for (const name of [
    'treegrid What is kept',
    'button Keep',
    'button Show in folder',
    'summary 1 rule',
    'button Remove the rule /2019/',
    'input ',
    'button Export What is kept as CSV',
  ])
    expect(names).toContain(name)

  await page.getByRole('radio', { name: 'Map' }).press('Space')
  await tile(page, /^2020/).waitFor()
  const inMap = await tabOrder(page)
  expect(inMap.filter(({ isSeen }) => !isSeen)).toEqual([])
  expect(inMap.map(({ name }) => name).filter((name) => name.includes('Folders and files by size'))).toEqual([
    expect.stringContaining('listbox'),
  ])
})

it('the keys of a tree with 100,000 folders scroll it', { tags: 'long' }, async () => {
  const page = await windows.window(
    { ...ONE, survey: { files: 240_000, bytes: 1e12 }, walk: { folders: 100_000 } },
    LIGHT,
  )
  await keep(page, 'Exports').waitFor()
  await tree(page).focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
  await tree(page).getByText('Job 000001', { exact: true }).waitFor()
  await page.keyboard.press('End')
  await page.waitForFunction(
    () => (document.querySelector('.kept .table-frame.scroll')?.scrollTop ?? 0) > 10_000,
  )
  expect((await focusedNow(page)).name).toBe('treegrid What is kept')
  await page.keyboard.press('Home')
  await page.waitForFunction(() => document.querySelector('.kept .table-frame.scroll')?.scrollTop === 0)
})
