import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { formatDay } from '../../../../src/primitives/spokenTime'
import { stowage } from '../../../fixtures/stowageCommand'
import { PATIENCE_MS } from '../appWindow'
import { emptyDesk, Person } from './person'
import { writeMedia } from './sources'

const SERIES = { 'Series A/run 1.dat': 1_900_000, 'Series B/run 1.dat': 1_800_000 }

/** More than the twelve months after which a volume is checked again. */
const AGO_MS = 400 * 86_400_000
/** The environment of a command whose calendar is behind by that. */
const THEN = {
  NODE_OPTIONS: `--import="data:text/javascript,const{now}=Date;Date.now=()=>now()-${AGO_MS}"`,
}

it('a laboratory verifies the set that is due from Home, and exports the report of its checks', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  const series = join(desk.place, 'Series')
  await writeMedia(series, SERIES)
  const set = join(desk.documents, 'Series set')
  const plan = ['plan', series, '--medium', 'custom:3MB', '--out', set]
  for (const command of [plan, ['build', set], ['verify', set]])
    expect(await stowage(command, { home: desk.home, env: THEN })).toMatchObject({ code: 0 })
  const started = Date.now()

  const ada = await Person.at(desk)
  await ada.reads('1 archive. 1 needs attention.')
  await ada.reads(`verified on ${formatDay(started - AGO_MS)}`)
  await ada.shows('laboratory 1, due')
  await ada.clicks('button', 'Check now: 2 discs to check')
  await ada.reads('Volumes')
  await ada.presses('Alt+Home')
  await ada.reads('1 archive. Nothing needs attention.')
  await ada.presses('Control+6')
  const report = join(desk.place, 'checks.csv')
  await ada.saves(report, 'Export Discs and images as CSV')
  const text = await vi.waitUntil(() => readFile(report, 'utf8').catch(() => ''), {
    timeout: PATIENCE_MS,
    interval: 50,
  })
  await ada.shows('laboratory 2, checked')
  expect(ada.interactions()).toBe(5)
  const days = [started, Date.now()].map(formatDay)
  const [header, ...discs] = text.trim().split('\r\n')
  expect(header).toBe('label,disc,copy,place,last_check,check_by,plan_or_set')
  expect(discs.map((line) => line.split(',').slice(0, 2).join())).toEqual(['SERIES_01,1', 'SERIES_02,2'])
  for (const disc of discs) expect(days.map((day) => `verified ${day}`)).toContain(disc.split(',')[4])
  await ada.leaves()
})
