import { expect, it } from 'vitest'
import rules from '../../../assets/copy/en/rules.json' with { type: 'json' }
import { openApp } from '../../e2e/electron/appWindow'
import { manySmallFiles } from '../../support/manySmallFiles'

const FILES = 100_000
/** From the drop to the figures of names and sizes, and from these to the options. */
const [FIGURES_MS, OPTIONS_MS] = [2000, 10_000]

it('a dropped folder of 100,000 files has figures in 2 s, and options 10 s later', async () => {
  const source = await manySmallFiles(FILES)
  const { page, drop } = await openApp()
  await page.getByText('Drop a folder here').waitFor()
  const droppedMs = performance.now()
  await drop(source)
  const look = page.getByRole('region', { name: rules['look.title'] })
  await look.getByRole('button', { name: new RegExp(`^${rules['look.survey']}: \\S`) }).waitFor()
  const figuresMs = performance.now() - droppedMs
  await look.getByRole('button', { name: rules['look.options'] }).and(page.locator(':enabled')).click()
  await page.getByRole('article').first().waitFor()
  const optionsMs = performance.now() - droppedMs - figuresMs
  console.info(`figures after ${figuresMs.toFixed(0)} ms, options ${optionsMs.toFixed(0)} ms later`)
  expect(figuresMs).toBeLessThan(FIGURES_MS)
  expect(optionsMs).toBeLessThan(OPTIONS_MS)
}, 600_000)
