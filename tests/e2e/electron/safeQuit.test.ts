import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { runDocumentSchema } from '../../../src/contract/dto/run'
import { stowage } from '../../fixtures/stowageCommand'
import { temporaryFolder } from '../../support/temporaryFolder'
import { openApp } from './appWindow'
import { chooseDiscFile, exportPlan, makeSeasons } from './exportedPlan'
import { followSystem } from './systemCalls'

/** A folder with a `xorriso` that begins to write a disc and never ends; for all else it is the real one. */
async function endlessBurner(place: string): Promise<string> {
  const bin = join(place, 'bin')
  await mkdir(bin)
  const burns = 'if [ "$1" = -as ]; then head -c 65536 > /dev/null; exec sleep 600; fi'
  await writeFile(join(bin, 'xorriso'), `#!/bin/sh\n${burns}\nexec /usr/bin/xorriso "$@"\n`)
  await chmod(join(bin, 'xorriso'), 0o755)
  return bin
}

it('asks before it closes while a disc is burned, and leaves the set resumable when the work is stopped', {
  tags: 'long',
}, async () => {
  const place = await temporaryFolder()
  const [source, target, disc] = [join(place, 'Seasons'), join(place, 'Plan'), join(place, 'disc.iso')]
  await makeSeasons(source)
  await mkdir(target)
  const bin = await endlessBurner(place)
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  const { app, page, home, screenshot } = await openApp({ args: ['--', source], env })
  const system = await followSystem(app)
  await exportPlan(app, page, target)
  await chooseDiscFile(app, page, disc)
  await page.getByRole('button', { name: 'Burn 2 discs', exact: true }).click()
  await page.getByText(/% full$/).waitFor()

  const close = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await close()
  const [question] = (await system.seen()).questions
  expect(question).toMatchObject({
    message: 'Stop the work and quit?',
    detail: 'The disc in disc.iso would be lost.',
    buttons: ['Keep running', 'Stop and quit'],
  })
  expect((await system.seen()).held).toHaveLength(1)
  await screenshot('quit 1, kept running')
  expect(await page.getByText(/% full$/).isVisible()).toBe(true)

  await system.answer(1)
  const ended = new Promise<void>((resolve) => app.once('close', () => resolve()))
  await close()
  await ended
  const runs = join(target, 'runs')
  const name = (await readdir(runs)).find((each) => each.startsWith('w-'))
  const run = runDocumentSchema.parse(JSON.parse(await readFile(join(runs, name ?? ''), 'utf8')))
  expect(run.outcome).toBe('cancelled')
  expect(run.volumes.map(({ state }) => state)).toEqual(['cancelled', 'pending'])

  await rm(disc, { force: true })
  const words = ['write', target, '--each', '--drive', `stdio:${disc}`, '--json']
  const { code, stdout } = await stowage(words, { home })
  expect(code).toBe(0)
  expect(runDocumentSchema.parse(JSON.parse(stdout)).volumes.map(({ state }) => state)).toEqual(['done'])
})
