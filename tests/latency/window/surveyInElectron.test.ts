import { it } from 'vitest'
import { openApp, words } from '../../e2e/electron/appWindow'
import { manySmallFiles } from '../../support/manySmallFiles'
import { processCpuMs } from '../../support/processCpu'
import { expectResponsive } from '../../support/responsiveWindow'
import { expectQuickSwitches } from '../../support/stepSwitches'
import { keepMessages, recordMessages } from '../../support/windowMessages'
import { recordPageTasks } from '../../support/windowTasks'

const FILES = 78_000

it('the window takes little CPU time while many files are surveyed, and when its pages are opened', async () => {
  const source = await manySmallFiles(FILES)
  const { app, page, drop } = await openApp()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await drop(source)
  await page
    .getByRole('button', { name: words('source.read'), exact: true })
    .and(page.locator(':enabled'))
    .waitFor()
  // For `surveyReplay.test.ts`, after a change of what the window is sent.
  const recording = process.env['STOWAGE_RECORDING']
  const endMessages = recording === undefined ? null : await recordMessages(app)
  const pid = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  )
  const record = () => recordPageTasks(app)
  await expectResponsive(page, record, undefined, () => processCpuMs(pid ?? 0))
  if (recording !== undefined && endMessages !== null)
    keepMessages(recording, await endMessages(), source, '/media/photos')
  await expectQuickSwitches(page, record)
}, 600_000)
