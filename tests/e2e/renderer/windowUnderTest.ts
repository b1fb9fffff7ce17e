import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize, resolve, sep } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
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
const KINDS: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export interface Look {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  readonly forced?: boolean
}

/** The built window in Debian's Chromium, served over loopback under the policy of its start page, with a fake on its other side. */
export class WindowsUnderTest {
  readonly #server: Server
  readonly #browser: Browser
  readonly #profile: string
  readonly #fake: string
  readonly #contexts: BrowserContext[] = []

  private constructor(server: Server, browser: Browser, profile: string, fake: string) {
    this.#server = server
    this.#browser = browser
    this.#profile = profile
    this.#fake = fake
  }

  /** Builds the window and the fake as they stand now, and starts the browser. */
  static async open(): Promise<WindowsUnderTest> {
    const scratch = mkdtempSync(join(tmpdir(), 'stowage-window-'))
    const site = join(scratch, 'site')
    await build({
      configFile: join(REPOSITORY, 'renderer/vite.config.ts'),
      root: join(REPOSITORY, 'renderer'),
      logLevel: 'warn',
      build: { outDir: site, emptyOutDir: true },
    })
    await build({
      configFile: false,
      root: REPOSITORY,
      logLevel: 'warn',
      publicDir: false,
      build: {
        outDir: join(scratch, 'fake'),
        emptyOutDir: true,
        target: 'chrome108',
        minify: false,
        lib: {
          entry: join(REPOSITORY, 'tests/fixtures/fakeEngine/inject.ts'),
          formats: ['iife'],
          name: 'fakeEngine',
          fileName: () => 'fake.js',
        },
      },
    })
    const fake = readFileSync(join(scratch, 'fake/fake.js'), 'utf8')
    const server = createServer((request, response) => {
      const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://window').pathname))
      const file = join(site, path === sep ? 'index.html' : path)
      readFile(file).then(
        (content) => {
          response.setHeader('content-type', KINDS[extname(file)] ?? 'application/octet-stream')
          response.end(content)
        },
        () => {
          response.statusCode = 404
          response.end()
        },
      )
    })
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening)
    })
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
    return new WindowsUnderTest(server, browser, scratch, fake)
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
    await page.addInitScript(`window.scenario = ${JSON.stringify(scenario)}; window.broken = [];
      addEventListener('securitypolicyviolation', (event) => window.broken.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber));
      addEventListener('error', (event) => window.broken.push(event.message));
      addEventListener('unhandledrejection', (event) => window.broken.push(String(event.reason)));`)
    await page.addInitScript({ content: this.#fake })
    page.on('console', (message) => {
      if (message.type() === 'error') void page.evaluate((text) => window.broken.push(text), message.text())
    })
    await page.goto(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`)
    await page.getByRole('navigation', { name: 'Steps' }).waitFor()
    return page
  }

  /** Closes the windows of one test. Answers what broke in them: policy, contract, uncaught errors. */
  async endTest(): Promise<string[]> {
    const broken: string[] = []
    for (const context of this.#contexts.splice(0)) {
      for (const page of context.pages())
        broken.push(...(await page.evaluate(() => [...window.broken, ...window.fake.violations])))
      await context.close()
    }
    return broken
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await new Promise<void>((closed) => {
      this.#server.close(() => closed())
    })
    rmSync(this.#profile, { recursive: true, force: true })
  }
}

/** Keeps a picture of the window for a person to look at. */
export async function picture(page: Page, name: string): Promise<void> {
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
