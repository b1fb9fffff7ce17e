import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Disposable, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import type { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'

declare global {
  interface Window {
    scenario?: Scenario
    fake: FakeEngine
    broken: string[]
  }
}

const REPOSITORY = resolve(import.meta.dirname, '../../..')
const ARTIFACTS = join(REPOSITORY, 'tests/artifacts/renderer')

const STATE_MS = 90_000

export interface Look {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  readonly forced?: boolean
}

/** A window that tests of one file use one after another: each loads the page anew, in the same browser process. */
interface UsedWindow {
  readonly page: Page
  /** What the page is given before its own script; of one test alone. */
  readonly scripts: Disposable[]
}

/** The built window in Debian's Chromium, with a fake engine on its other side. */
class WindowsUnderTest {
  readonly #browser: Browser
  readonly #site: string
  readonly #fake: string
  readonly #errors: string[] = []
  /** Those of the test that runs. */
  readonly #used: UsedWindow[] = []
  /** Those that a test before has left clean. */
  readonly #free: UsedWindow[] = []
  readonly #contexts: BrowserContext[] = []

  private constructor(browser: Browser, site: string, fake: string) {
    this.#browser = browser
    this.#site = site
    this.#fake = fake
  }

  /**
   * The browser and the site with the window and the fake are those that all files of window tests share.
   * @param checked takes the window with React's development build: misuse of React breaks the test too
   */
  static async open({ checked = false } = {}): Promise<WindowsUnderTest> {
    const fake = await fetch(new URL('fake.js', inject('site')))
    if (!fake.ok) throw new Error(`the site has no fake engine: ${fake.status}`)
    const browser = await chromium.connect(inject('browser'))
    return new WindowsUnderTest(browser, inject(checked ? 'checkedSite' : 'site'), await fake.text())
  }

  /** A window for a scenario, in which nothing is left of an earlier one. */
  async window(scenario: Scenario = {}, look: Look = {}): Promise<Page> {
    const used = this.#free.pop() ?? (await this.#newWindow())
    this.#used.push(used)
    await this.#show(used, scenario, look)
    return used.page
  }

  /** A window whose clock the test holds still and moves on: no other test gets it. */
  async windowOfOwnTime(scenario: Scenario = {}, look: Look = {}): Promise<Page> {
    const own = await this.#newWindow()
    this.#contexts.push(own.page.context())
    await own.page.clock.install()
    await this.#show(own, scenario, look)
    return own.page
  }

  async #newWindow(): Promise<UsedWindow> {
    const context = await this.#browser.newContext({ timezoneId: 'UTC', locale: 'en-GB' })
    const page = await context.newPage()
    // Of states that come: on a busy machine later.
    page.setDefaultTimeout(STATE_MS)
    page.on('console', (message) => {
      if (message.type() === 'error') this.#errors.push(message.text())
    })
    return { page, scripts: [] }
  }

  async #show({ page, scripts }: UsedWindow, scenario: Scenario, look: Look): Promise<void> {
    await showAs(page, look)
    scripts.push(
      await page.addInitScript(`window.scenario = ${JSON.stringify(scenario)}; window.broken = [];
      addEventListener('securitypolicyviolation', (event) => window.broken.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber));
      // Sizes that are reported one frame later are announced as an error, which is none:
      // Resize Observer, https://drafts.csswg.org/resize-observer/#deliver-resize-error
      addEventListener('error', ({ message }) => message.startsWith('ResizeObserver loop') || window.broken.push(message));
      addEventListener('unhandledrejection', (event) => window.broken.push(String(event.reason)));`),
      await page.addInitScript({ content: this.#fake }),
    )
    await page.goto(this.#site)
    await page.getByRole('navigation', { name: 'Steps' }).waitFor()
  }

  /** Ends the windows of one test. Answers what broke in them: policy, contract, uncaught errors. */
  async endTest(): Promise<string[]> {
    const broken: string[] = []
    for (const page of [
      ...this.#used.map((used) => used.page),
      ...this.#contexts.flatMap((context) => context.pages()),
    ])
      broken.push(...(await page.evaluate(() => [...window.broken, ...window.fake.violations])))
    broken.push(...this.#errors.splice(0))
    for (const context of this.#contexts.splice(0)) await context.close()
    for (const used of this.#used.splice(0)) {
      for (const script of used.scripts.splice(0)) await script.dispose()
      await used.page.evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })
      this.#free.push(used)
    }
    return broken
  }

  /** Closes the windows; the browser stays for other files. */
  async close(): Promise<void> {
    await this.#browser.close()
  }
}

/** What opens windows for the tests of one file. */
export type Windows = Pick<WindowsUnderTest, 'window' | 'windowOfOwnTime'>

/**
 * Windows for the tests of the file that calls it: a test in whose windows something breaks fails.
 * @param options those of `WindowsUnderTest.open`
 */
export function windowsForTests(options: { checked?: boolean } = {}): Windows {
  let windows: WindowsUnderTest
  beforeAll(async () => {
    windows = await WindowsUnderTest.open(options)
  })
  afterEach(async () => {
    expect(await windows.endTest()).toEqual([])
  })
  afterAll(async () => {
    await windows.close()
  })
  return {
    window: (scenario, look) => windows.window(scenario, look),
    windowOfOwnTime: (scenario, look) => windows.windowOfOwnTime(scenario, look),
  }
}

/** Gives an open window another size and other colours. */
export async function showAs(page: Page, look: Look): Promise<void> {
  await page.setViewportSize({ width: look.width ?? 1440, height: look.height ?? 900 })
  await page.emulateMedia({
    colorScheme: look.dark ? 'dark' : 'light',
    forcedColors: look.forced ? 'active' : 'none',
    reducedMotion: 'reduce',
  })
}

/** Keeps a picture of the window for a person to look at, where `STOWAGE_PICTURES` asks for them. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.STOWAGE_PICTURES === undefined) return
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`) })
}

/** Moves the fake's running job on to a share of its work. */
export async function advance(page: Page, share: number): Promise<void> {
  await page.evaluate((to) => window.fake.advance(to), share)
}

/** Ends the fake's running job. */
export async function finish(page: Page): Promise<void> {
  await page.evaluate(() => window.fake.finish())
}
