import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import oneButtonCopy from '../../../assets/copy/en/oneButton.json' with { type: 'json' }
import { missingReader } from '../../support/discReaders'
import { temporaryFolder } from '../../support/temporaryFolder'
import { answerFolderDialogs, answerSaveDialog, openApp } from './appWindow'
import { exportPlan, makeSeasons } from './exportedPlan'

it.skipIf(missingReader('pdfinfo', 'pdftotext', 'pdftoppm', 'zbarimg'))(
  'saves the report of a plan as PDF, and labels of its discs',
  { tags: 'long' },
  async () => {
    const place = await temporaryFolder()
    const source = join(place, 'Seasons')
    await makeSeasons(source)
    const [target, labels] = [join(place, 'Exported plan'), join(place, 'Labels')]
    for (const folder of [target, labels]) await mkdir(folder)
    const { app, page, screenshot, complaints } = await openApp({ args: ['--', source] })
    await exportPlan(app, page, target)
    const print = async (what: 'print.report' | 'print.labels'): Promise<void> => {
      await page.getByRole('button', { name: oneButtonCopy['print.menu'] }).first().click()
      await page.getByRole('menuitem', { name: oneButtonCopy[what], exact: true }).click()
    }

    const make = async (): Promise<void> => {
      await page.getByRole('dialog').getByRole('button', { name: oneButtonCopy['print.make'] }).click()
    }

    const report = join(place, 'report.pdf')
    await answerSaveDialog(app, report)
    // In the dark the report is printed on white paper all the same.
    await app.evaluate(({ nativeTheme }) => {
      nativeTheme.themeSource = 'dark'
    })
    await print('print.report')
    await page.getByText(report, { exact: false }).first().waitFor()
    await screenshot('printed 1, report')
    const text = execFileSync('pdftotext', ['-layout', report, '-'], { encoding: 'utf8' })
    for (const words of ['SEASONS_01', 'SEASONS_02', 'Summer', 'Winter']) expect(text).toContain(words)
    execFileSync('pdftoppm', ['-r', '20', '-f', '1', '-l', '1', '-gray', report, join(place, 'page')])
    const page1 = (await readdir(place)).find((name) => name.startsWith('page')) ?? ''
    // A PGM ends with a byte for each pixel: the corner is paper.
    expect((await readFile(join(place, page1))).at(-1)).toBe(255)
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)

    await answerFolderDialogs(app, labels)
    await print('print.labels')
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: oneButtonCopy['print.paper.letter'] })
      .press('Space')
    await screenshot('printed 2, what to print')
    await make()
    await page.getByText(join(labels, 'labels.pdf'), { exact: false }).first().waitFor()
    await screenshot('printed 3, labels')
    const info = execFileSync('pdfinfo', [join(labels, 'labels.pdf')], { encoding: 'utf8' })
    expect(info).toMatch(/Page size: +(?:612 x 792|792 x 612) pts/)
    expect((await readdir(labels)).toSorted()).toContain('SEASONS_02-disc.svg')
    const drawn = join(place, 'drawn')
    execFileSync('pdftoppm', ['-r', '200', '-f', '1', '-l', '1', '-png', join(labels, 'labels.pdf'), drawn])
    const png = (await readdir(place)).find((name) => name.startsWith('drawn')) ?? ''
    const code = execFileSync('zbarimg', ['-q', '--raw', join(place, png)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(code).toContain('Stowage SEASONS_01\nvolume 1 of 2')

    // What is there already is not replaced unasked.
    await answerFolderDialogs(app, labels)
    await print('print.labels')
    await make()
    const refused = page.getByRole('dialog').getByRole('alert')
    await refused.getByText('is already there', { exact: false }).waitFor()
    await refused.getByRole('button', { name: oneButtonCopy['print.replace'] }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  },
)
