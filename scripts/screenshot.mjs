/**
 * Takes the picture of the window for the README: starts the built application in Electron, surveys the sample source and
 * saves `docs/images/window.png`. Needs the bundles (`node scripts/bootstrap.mjs test`) and a display or Xvfb.
 * Run with Node 24: node scripts/screenshot.mjs [--keys Control+4 for another step] [--out FILE]
 */
import { mkdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { _electron } from 'playwright-core'
import { runnerImport } from 'vite'

const PROJECT = path.resolve(import.meta.dirname, '..')
const SIZE = { width: 1200, height: 760 }
const PATIENCE_MS = 120_000

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: 'Control+2' },
    out: { type: 'string', default: path.join(PROJECT, 'docs/images/window.png') },
  },
})

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
    await app.evaluate(({ BrowserWindow }, { width, height }) => {
      BrowserWindow.getAllWindows()[0].setContentSize(width, height)
    }, SIZE)
    // The button that leads on to the plan can be pressed once the survey is done.
    const { default: copy } = await imported('assets/copy/en.json')
    await page
      .getByRole('button', { name: copy['survey.toPlan'], exact: true })
      .and(page.locator(':enabled'))
      .waitFor()
    await page.keyboard.press(values.keys)
    await page.waitForTimeout(2500)
    mkdirSync(path.dirname(values.out), { recursive: true })
    await page.screenshot({ path: values.out, animations: 'disabled' })
  } finally {
    await app.close()
  }
} finally {
  await display.close()
  await rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}
process.stdout.write(`${values.out}: ${Math.ceil(statSync(values.out).size / 1000)} kB\n`)
