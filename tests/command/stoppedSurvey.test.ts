import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { surveyRequestSchema } from '../../src/contract/dto/survey'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import { sketchFolder } from '../../src/engine/survey/sketchFolder'
import { surveyJob } from '../../src/engine/survey/surveyJob'
import { systemClock } from '../../src/primitives/clock'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'

const SMALL_FILES = 20
const MIB = 1024 ** 2
/** Of the file that the survey is stopped in; a hole of a tebibyte follows, so that it never comes to its end. */
const LARGE_DATA = 8 * MIB

let folder: string
let source: string
let home: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-stopped-'))
  source = join(folder, 'source')
  home = join(folder, 'home')
  mkdirSync(source)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Surveys the source and stops in the middle of its large file, once the small ones are stored. @returns the survey's id */
async function stoppedSurvey(): Promise<string> {
  const random = seededRandom(5)
  const content = Buffer.alloc(10_000)
  for (let index = 0; index < SMALL_FILES; index++) {
    random.fillBytes(content)
    writeFileSync(join(source, `f${index}`), content)
  }
  const large = Buffer.alloc(LARGE_DATA)
  random.fillBytes(large)
  writeFileSync(join(source, 'large'), large)
  truncateSync(join(source, 'large'), 2 ** 40)
  const catalog = openCatalog(home)
  const sketches = sketchFolder(home)
  const stop = new AbortController()
  const id = 's-0123456789ab'
  try {
    const request = surveyRequestSchema.parse({ paths: [source], samples: 'none', sha256: true })
    const job = surveyJob(request, { catalog, sketches, checkpointMs: 60_000 })
    await job.run({
      jobId: 'j-1',
      clock: systemClock,
      newId: () => id,
      signal: stop.signal,
      progress: ({ bytesDone }) => {
        if (bytesDone > 3 * LARGE_DATA) stop.abort()
      },
      live: () => undefined,
      measured: () => undefined,
      swept: () => undefined,
      pausable: () => undefined,
      waitFor: () => Promise.resolve(null),
      piped: () => undefined,
      writing: () => undefined,
      pausesAfter: () => undefined,
      safePoint: async () => undefined,
    })
    await sketches.settled()
    const document = catalog.survey(id)
    expect(document).toMatchObject({
      partial: true,
      skipped: [],
      totals: { files: SMALL_FILES, skipped: 0 },
      unread: { files: 1, bytes: 2 ** 40, atLeast: false },
    })
    expect(document.chunked.length).toBeGreaterThan(0)
    for (const figure of [...document.fixedBlocks, ...document.chunked]) {
      const name = JSON.stringify(figure)
      expect(figure.exact, name).toBe(false)
      expect(figure.uniqueBytes, name).toBeLessThanOrEqual(document.totals.bytes)
      expect(figure.high, name).toBeLessThanOrEqual(document.totals.bytes)
      expect(figure.low, name).toBeLessThanOrEqual(figure.uniqueBytes)
    }
    return id
  } finally {
    catalog.close()
  }
}

it('a survey that was stopped in a large file counts none of it, and nothing shown of it looks whole', async () => {
  const id = await stoppedSurvey()

  const survey = await stowage(['survey', '--survey', id], { home })
  expect(survey.code, survey.stderr).toBe(0)
  expect(survey.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'INCOMPLETE: the survey was stopped early, 1 file (1.10 TB) was not read.',
  )
  expect(survey.stdout).toContain('To finish it:')
  // The legend explains the mark and nothing else has it.
  expect(survey.stdout.match(/■/g)).toEqual(['■'])
  const blocks = await stowage(['survey', '--survey', id, '--table', 'blocks'], { home })
  expect(blocks.stdout).not.toContain('■')

  const options = await stowage(['options', '--survey', id], { home })
  expect(options.code, options.stderr).toBe(0)
  const printed = (options.stdout + options.stderr).replaceAll(/\s+/g, ' ')
  expect(printed).toContain('1 file (1.10 TB) was not read')
  expect(printed).toContain('First finish the survey: stowage survey')
  expect(printed).not.toContain('stowage plan')
  const json = await stowage(['options', '--survey', id, '--json'], { home })
  const { source: about, advice } = JSON.parse(json.stdout)
  expect(about).toMatchObject({ partial: true, unread: { files: 1 } })
  expect(advice).toContainEqual({ code: 'partial', text: expect.stringContaining('1 file (1.10 TB)') })
  const plan = await stowage(['plan', '--survey', id, '--out', join(folder, 'plan')], { home })
  expect(plan.code).not.toBe(0)
  expect(plan.stderr).toContain('stopped early')
})

it('a survey that goes on after one stopped in a large file has the figures of a full one', async () => {
  await stoppedSurvey()
  truncateSync(join(source, 'large'), LARGE_DATA)
  const survey = ['survey', source, '--samples', 'none', '--sha256', '--json']
  const [again, full] = [
    JSON.parse((await stowage(survey, { home })).stdout),
    JSON.parse((await stowage([...survey, '--full'], { home })).stdout),
  ]
  expect(again.unread).toBeUndefined()
  for (const name of ['totals', 'fixedBlocks', 'chunked']) expect(again[name], name).toEqual(full[name])
})
