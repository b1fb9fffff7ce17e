/**
 * Takes the picture of the window for the README: starts the built application in Electron, surveys the sample source and
 * saves `docs/images/window.png`. Needs the bundles (`node scripts/bootstrap.mjs test`) and a display or Xvfb.
 * Run with Node 24: node scripts/screenshot.mjs [--keys Control+4 for another step] [--size 1440x900] [--zoom 2] [--dark]
 * [--whole: scrolls to the end, a picture for each part] [--out FILE]
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { _electron } from 'playwright-core'
import { runnerImport } from 'vite'

const PROJECT = path.resolve(import.meta.dirname, '..')
const PATIENCE_MS = 120_000

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: 'Control+2' },
    size: { type: 'string', default: '1200x760' },
    zoom: { type: 'string', default: '1' },
    dark: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    out: { type: 'string', default: path.join(PROJECT, 'docs/images/window.png') },
  },
})

const look = {
  size: values.size.split('x').map(Number),
  zoom: Number(values.zoom),
  dark: values.dark,
}
/** Lines of the part before that the next part shows again. */
const OVERLAP = 40

const imported = async (file) => (await runnerImport(path.join(PROJECT, file), { configFile: false })).module
const { electronEnvironment, electronRuntime } = await imported('tests/support/electron.ts')
const { openDisplay } = await imported('tests/support/virtualDisplay.ts')
const { makeSampleSource } = await imported('src/engine/sample/sampleSource.ts')
const { noNotes } = await imported('tests/support/noNotes.ts')

const place = await mkdtemp(path.join(tmpdir(), 'stowage-picture-'))
const display = await openDisplay()
try {
  const source = path.join(place, 'Sample')
  await makeSampleSource(noNotes, source)
  const runtime = await electronRuntime()
  const app = await _electron.launch({
    executablePath: runtime.executable,
    args: [...runtime.switches, PROJECT, '--', source],
    env: electronEnvironment({ display: display.name, home: path.join(place, 'home') }),
    chromiumSandbox: runtime.switches.length === 0,
    colorScheme: null,
  })
  try {
    const page = await app.firstWindow()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.waitForLoadState()
    await app.evaluate(({ BrowserWindow, nativeTheme }, { size, zoom, dark }) => {
      nativeTheme.themeSource = dark ? 'dark' : 'light'
      const [window] = BrowserWindow.getAllWindows()
      window.setContentSize(...size)
      window.webContents.setZoomFactor(zoom)
    }, look)
    // What the window shows: Playwright's own picture of a zoomed page is its upper left part.
    const take = async (file) => {
      const png = await app.evaluate(async ({ BrowserWindow }) =>
        (await BrowserWindow.getAllWindows()[0].webContents.capturePage()).toPNG().toString('base64'),
      )
      writeFileSync(file, Buffer.from(png, 'base64'))
      process.stdout.write(`${file}: ${Math.ceil(statSync(file).size / 1000)} kB\n`)
    }
    /** Scrolls the page to a part; false behind the last one. */
    const scrollTo = (part) =>
      page.evaluate(
        ([at, overlap]) => {
          // In a very low window the whole page scrolls.
          const body = [...document.querySelectorAll('.page-body, .page')].find(
            (each) => each.scrollHeight > each.clientHeight && getComputedStyle(each).overflowY === 'auto',
          )
          if (body === undefined) return false
          const top = at * (body.clientHeight - overlap)
          if (at > 0 && top + overlap >= body.scrollHeight) return false
          body.scrollTop = top
          return true
        },
        [part, OVERLAP],
      )
    // The button that leads on to the plan can be pressed once the survey is done.
    const { default: copy } = await imported('assets/copy/en/window.json')
    await page
      .getByRole('button', { name: copy['survey.toPlan'], exact: true })
      .and(page.locator(':enabled'))
      .waitFor()
    await page.keyboard.press(values.keys)
    await page.waitForTimeout(2500)
    mkdirSync(path.dirname(values.out), { recursive: true })
    await take(values.out)
    for (let part = 1; values.whole && (await scrollTo(part)); part++) {
      await page.waitForTimeout(250)
      await take(values.out.replace(/(\.png)?$/, ` ${part + 1}.png`))
    }
  } finally {
    await app.close()
  }
} finally {
  await display.close()
  await rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}
