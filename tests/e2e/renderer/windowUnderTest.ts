import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { build, type InlineConfig } from 'vite'
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
  readonly #fake: string
  readonly #contexts: BrowserContext[] = []
  readonly #errors: string[] = []

  private constructor(server: Server, browser: Browser, fake: string) {
    this.#server = server
    this.#browser = browser
    this.#fake = fake
  }

  /** Builds the window and the fake as they stand now (in memory: nothing on the disk can go stale), and starts the browser. */
  static async open(): Promise<WindowsUnderTest> {
    const site = await built({
      configFile: join(REPOSITORY, 'renderer/vite.config.ts'),
      root: join(REPOSITORY, 'renderer'),
    })
    const fake = await built({
      configFile: false,
      root: REPOSITORY,
      publicDir: false,
      build: {
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
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://window').pathname
      const name = path === '/' ? 'index.html' : path.slice(1)
      const content = site.get(name)
      response.statusCode = content === undefined ? 404 : 200
      response.setHeader('content-type', KINDS[extname(name)] ?? 'application/octet-stream')
      response.end(content)
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
    return new WindowsUnderTest(server, browser, String(fake.get('fake.js')))
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
      if (message.type() === 'error') this.#errors.push(message.text())
    })
    await page.goto(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`)
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
    await new Promise<void>((closed) => {
      this.#server.close(() => closed())
    })
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

/** What Vite makes of a configuration, by file name. */
async function built(config: InlineConfig): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const output = await build({ ...config, logLevel: 'error', build: { ...config.build, write: false } })
  const files = new Map<string, string | Uint8Array>()
  for (const bundle of [output].flat()) {
    if (!('output' in bundle)) throw new Error('Vite watches instead of building')
    for (const file of bundle.output)
      files.set(file.fileName, file.type === 'chunk' ? file.code : file.source)
  }
  return files
}
