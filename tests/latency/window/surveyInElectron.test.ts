import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { openApp, words } from '../../e2e/electron/appWindow'
import { processCpuMs } from '../../support/processCpu'
import { expectResponsive } from '../../support/responsiveWindow'
import { expectQuickSwitches } from '../../support/stepSwitches'
import { folderForManyFiles } from '../../support/temporaryFolder'
import { keepMessages, recordMessages } from '../../support/windowMessages'
import { recordPageTasks } from '../../support/windowTasks'

const FOLDERS = 780
const FILES_A_FOLDER = 100
const EXTENSIONS = 'txt jpg js ts c h md json png html css py o so gz xml svg mp3 pdf zip'.split(' ')

/** 78,000 small files of twenty types, some of them alike. */
async function manyFiles(): Promise<string> {
  const folder = await folderForManyFiles()
  const random = seededRandom(20)
  const noise = Buffer.alloc(64 * 1024)
  random.fillBytes(noise)
  const text = Buffer.from('the same words in one line after another\n'.repeat(1600))
  for (let at = 0; at < FOLDERS; at++) {
    const inner = join(folder, `d${at % 20}`, `e${at}`)
    mkdirSync(inner, { recursive: true })
    for (let file = 0; file < FILES_A_FOLDER; file++) {
      const from = 512 * random.below(100)
      const content = (random.below(2) === 0 ? noise : text).subarray(from, from + random.below(6000))
      writeFileSync(join(inner, `f${file}.${EXTENSIONS[random.below(EXTENSIONS.length)]}`), content)
    }
  }
  return folder
}

it('the window takes little CPU time while many files are surveyed, and when its pages are opened', async () => {
  const source = await manyFiles()
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
