import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'
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

/** The built window in Debian's Chromium, with a fake engine on its other side. */
export class WindowsUnderTest {
  readonly #browser: Browser
  readonly #fake: string
  readonly #contexts: BrowserContext[] = []
  readonly #errors: string[] = []

  private constructor(browser: Browser, fake: string) {
    this.#browser = browser
    this.#fake = fake
  }

  /** Starts the browser; the window and the fake come from the site that all files of window tests share. */
  static async open(): Promise<WindowsUnderTest> {
    const fake = await fetch(new URL('fake.js', inject('site')))
    if (!fake.ok) throw new Error(`the site has no fake engine: ${fake.status}`)
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
    return new WindowsUnderTest(browser, await fake.text())
  }

  /** A fresh window for a scenario. */
  async window(scenario: Scenario = {}, look: Look = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: { width: look.width ?? 1440, height: look.height ?? 900 },
      colorScheme: look.dark ? 'dark' : 'light',
      forcedColors: look.forced ? 'active' : 'none',
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      locale: 'en-GB',
    })
    this.#contexts.push(context)
    const page = await context.newPage()
    // Of states that come: on a busy machine later.
    page.setDefaultTimeout(STATE_MS)
    await page.addInitScript(`window.scenario = ${JSON.stringify(scenario)}; window.broken = [];
      addEventListener('securitypolicyviolation', (event) => window.broken.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber));
      addEventListener('error', (event) => window.broken.push(event.message));
      addEventListener('unhandledrejection', (event) => window.broken.push(String(event.reason)));`)
    await page.addInitScript({ content: this.#fake })
    page.on('console', (message) => {
      if (message.type() === 'error') this.#errors.push(message.text())
    })
    await page.goto(inject('site'))
    await page.getByRole('navigation', { name: 'Steps' }).waitFor()
    return page
  }

  /** Closes the windows of one test. Answers what broke in them: policy, contract, uncaught errors. */
  async endTest(): Promise<string[]> {
    const broken = this.#errors.splice(0)
    for (const context of this.#contexts.splice(0)) {
      for (const page of context.pages())
        broken.push(...(await page.evaluate(() => [...window.broken, ...window.fake.violations])))
      await context.close()
    }
    return broken
  }

  async close(): Promise<void> {
    await this.#browser.close()
  }
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
