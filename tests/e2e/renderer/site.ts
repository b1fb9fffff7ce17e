import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { build, type InlineConfig } from 'vite'
import type { TestProject } from 'vitest/node'
import { EXECUTABLE, SWITCHES } from './browserStart'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the window under test is served, with a slash at the end; the fake engine is `fake.js` there. */
    readonly site: string
    /**
     * For the looks: the same with React's development build, which reports misuse of React on the console and takes thrice the
     * time.
     */
    readonly checkedSite: string
    /** Where the browser is reached, for Playwright to connect to. */
    readonly browser: string
  }
}

const REPOSITORY = resolve(import.meta.dirname, '../../..')
const KINDS: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Builds the window and the fake engine from their sources, in memory so that nothing on the disk can be out of date, serves both
 * over loopback under the policy of the start page, and starts the browser: once for all files of window tests.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const window = await builtWindow('production')
  const checked = project.name === 'looks' ? await builtWindow('development') : new Map<string, string>()
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
  const files = new Map([
    ...window,
    ...fake,
    ...[...checked].map(([name, content]): [string, string | Uint8Array] => [`checked/${name}`, content]),
  ])
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://window').pathname
    const name = path.endsWith('/') ? `${path}index.html`.slice(1) : path.slice(1)
    const content = files.get(name)
    response.statusCode = content === undefined ? 404 : 200
    response.setHeader('content-type', KINDS[extname(name)] ?? 'application/octet-stream')
    response.setHeader('cache-control', 'max-age=3600')
    response.end(content)
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  project.provide('site', site)
  project.provide('checkedSite', `${site}checked/`)
  const browser = await chromium.launchServer({
    executablePath: EXECUTABLE,
    host: '127.0.0.1',
    args: [
      ...SWITCHES,
      // A page lives for a second: what is optimized for it is never used long enough to be worth the work.
      '--js-flags=--no-maglev --no-turbofan',
    ],
  })
  project.provide('browser', browser.wsEndpoint())
  return async () => {
    await browser.close()
    await new Promise<void>((closed) => {
      server.close(() => closed())
      server.closeAllConnections()
    })
  }
}

/** The window as it is shipped, or with React's checks. Vite goes by the environment, in which Vitest has put `test`. */
async function builtWindow(
  environment: 'production' | 'development',
): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const { NODE_ENV: before } = process.env
  process.env.NODE_ENV = environment
  try {
    return await built({
      configFile: join(REPOSITORY, 'renderer/vite.config.ts'),
      root: join(REPOSITORY, 'renderer'),
      mode: environment,
    })
  } finally {
    process.env.NODE_ENV = before
  }
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
