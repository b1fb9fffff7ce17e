import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { JobProgress } from '../../src/contract/dto/job'
import type { SurveyLive } from '../../src/contract/dto/survey'
import { seededRandom } from '../../src/primitives/seededRandom'
import { datOf, fileOf, gameOf, logiqxText } from '../support/madeDats'
import { surveyEngine } from '../support/surveyEngine'
import { temporaryFolder } from '../support/temporaryFolder'

it('live figures are final as soon as everything is read, never exceed what was read, and every later phase has a share and a time left', async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'source')
  mkdirSync(source)
  const random = seededRandom(15)
  const noise = Buffer.alloc(1_000_000)
  random.fillBytes(noise)
  for (let file = 0; file < 300; file++) {
    const from = random.below(900_000)
    writeFileSync(join(source, `f${file}.txt`), noise.subarray(from, from + random.below(20_000)))
  }
  for (const copy of ['one', 'two']) writeFileSync(join(source, copy), noise)

  const bench = surveyEngine(join(folder, 'home'))
  const reported: (JobProgress | SurveyLive)[] = []
  const take = (each: JobProgress | SurveyLive): void => void reported.push(structuredClone(each))
  const { ended } = await bench.begin([source], { samples: 'fast' }, take, take)
  const { resultId } = await ended
  const document = await bench.engine.handlers.survey.get({ surveyId: resultId ?? '' })
  await bench.engine.close()

  const lives = reported.filter((each) => 'totals' in each)
  for (const { totals, fixedBlocks, chunked = [] } of lives)
    for (const { uniqueBytes } of [...fixedBlocks, ...chunked])
      expect(uniqueBytes).toBeLessThanOrEqual(totals.bytes)

  const final = reported.findIndex((each) => 'totals' in each && each.duplicateFiles !== undefined)
  const { totals, fixedBlocks, chunked, duplicateFiles } = document
  expect(reported[final]).toMatchObject({ totals, fixedBlocks, chunked, duplicateFiles })
  const reports = reported.filter((each): each is JobProgress => 'phase' in each)
  const later = reports.filter(({ phase }) => phase.index > 1)
  expect(final).toBeLessThan(reported.indexOf(later[0] as JobProgress))
  expect(new Set(later.map(({ phase }) => phase.name))).toEqual(new Set(['sampling', 'comparing']))
  for (const { phase, share, etaMs } of later) {
    expect(share, phase.name).toEqual(expect.any(Number))
    expect(etaMs, phase.name).toEqual(expect.any(Number))
  }
})

it('a survey by DATs reports the grouping of files as a phase of its own', async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'source')
  mkdirSync(source)
  writeFileSync(join(source, 'a.rom'), 'alpha')
  const dat = join(folder, 'made.dat')
  writeFileSync(dat, logiqxText(datOf([gameOf('alpha', { files: [fileOf('a.rom', 'alpha')] })])))
  const bench = surveyEngine(join(folder, 'home'))
  const names = new Map<string, number>()
  const take = ({ phase }: JobProgress): void => void names.set(phase.name, phase.index)
  const { ended } = await bench.begin([source], { samples: 'fast', dats: [dat] }, take)
  await ended
  await bench.engine.close()
  expect([...names]).toContainEqual(['grouping', 2])
})
