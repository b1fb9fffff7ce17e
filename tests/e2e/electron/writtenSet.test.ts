import { mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import restoreCopy from '../../../assets/copy/en/restore.json' with { type: 'json' }
import treeCopy from '../../../assets/copy/en/restoreTree.json' with { type: 'json' }
import writeCopy from '../../../assets/copy/en/write.json' with { type: 'json' }
import { temporaryFolder } from '../../support/temporaryFolder'
import { answerFolderDialogs, answerSaveDialog, openApp } from './appWindow'
import { chooseDiscFile, exportPlan, makeSeasons } from './exportedPlan'
import { followSystem } from './systemCalls'

it('writes a set to discs, asks for each, reads it back and restores from the discs', {
  tags: 'long',
}, async () => {
  const place = await temporaryFolder()
  const source = join(place, 'Seasons')
  await makeSeasons(source)
  const [target, restored] = [join(place, 'Exported plan'), join(place, 'Restored')]
  for (const folder of [target, restored]) await mkdir(folder)
  const { app, page, screenshot, complaints } = await openApp({ args: ['--', source] })
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900))
  const system = await followSystem(app)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await exportPlan(app, page, target)

  const disc = join(place, 'disc.iso')
  await chooseDiscFile(app, page, disc)
  await screenshot('written 1, where to')
  await button('Burn 2 discs').click()
  // The first disc is blank, as its file is not there: only the second one is asked for.
  const asked = page.getByRole('alertdialog')
  await asked.getByText(/volume 2 of 2/).waitFor()
  expect(await system.seen()).toMatchObject({
    held: [],
    notices: ['Insert a blank disc for SEASONS_02 (volume 2 of 2) into disc.iso.'],
  })
  expect(await system.clickNotice()).toBe(true)
  // While it waits nothing is written that could be paused.
  const pause = page.getByRole('button', { name: writeCopy['strip.pauseAfter.disc'], exact: true })
  expect(await pause.getAttribute('aria-disabled')).toBe('true')
  await screenshot('written 2, next disc')
  await rename(disc, join(place, 'disc 1.iso'))
  await button(writeCopy['write.proceed']).click()
  await page.getByText(writeCopy['build.says.written']).waitFor()
  await rename(disc, join(place, 'disc 2.iso'))
  await screenshot('written 3, done')

  await page.keyboard.press('Control+7')
  await button(treeCopy['restore.another']).click()
  await answerFolderDialogs(app, join(place, 'disc 1.iso'))
  await button(restoreCopy['restore.images']).click()
  // By one disc everything in the set is known; the other one is asked for as it is chosen.
  await page.getByRole('checkbox', { name: /^Restore everything/ }).click()
  await page.getByText('Add SEASONS_02', { exact: false }).waitFor()
  await answerFolderDialogs(app, join(place, 'disc 2.iso'))
  await page
    .getByRole('region', { name: treeCopy['restore.set'] })
    .getByRole('button', { name: restoreCopy['restore.images'] })
    .click()
  await page.getByText('Add SEASONS_02', { exact: false }).waitFor({ state: 'detached' })
  await answerFolderDialogs(app, restored)
  await button(treeCopy['restore.startAsking']).click()
  await page.getByText(/^2 files restored/).waitFor()
  await screenshot('written 4, restored')
  expect((await readdir(restored)).toSorted()).toEqual(['Summer', 'Winter'])
  for (const name of ['Summer', 'Winter']) {
    const path = join(name, 'picture.jpg')
    const [was, is] = await Promise.all([source, restored].map((top) => readFile(join(top, path))))
    expect(is?.equals(was as Buffer), name).toBe(true)
  }
  expect(complaints).toEqual([])
})

it('burns with two drives at the same time, each asking for its own discs', { tags: 'long' }, async () => {
  const place = await temporaryFolder()
  const source = join(place, 'Seasons')
  await makeSeasons(source, ['Spring', 'Summer', 'Autumn', 'Winter'])
  const target = join(place, 'Exported plan')
  await mkdir(target)
  const { app, page, screenshot, complaints } = await openApp({ args: ['--', source] })
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900))
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await exportPlan(app, page, target)

  const discs = ['left.iso', 'right.iso'].map((name) => join(place, name)) as [string, string]
  await chooseDiscFile(app, page, discs[0])
  await answerSaveDialog(app, discs[1])
  await button(writeCopy['write.addFile']).click()
  await page.getByText(writeCopy['write.alsoFiles']).waitFor()
  await screenshot('two drives 1, where to')
  await button('Burn 4 discs').click()

  // Two discs are blank at the start; the other two are asked for, one by each drive or both by the quicker one.
  const asked = page.getByRole('alertdialog')
  for (const written of ['disc 1.iso', 'disc 2.iso']) {
    await asked.first().waitFor()
    const said = await asked.first().innerText()
    await screenshot(`two drives 2, ${written}`)
    const prompt = asked.filter({ hasText: /SEASONS_\d+/.exec(said)?.[0] ?? 'no label' })
    await rename(said.includes('left.iso') ? discs[0] : discs[1], join(place, written))
    await prompt.getByText(writeCopy['write.proceed'], { exact: true }).click()
    await prompt.waitFor({ state: 'detached' })
  }
  await page.getByText(writeCopy['build.says.written']).waitFor()
  await screenshot('two drives 3, written')
  const images = (await readdir(place)).filter((name) => name.endsWith('.iso'))
  expect(images).toHaveLength(4)
  expect(complaints).toEqual([])
})
