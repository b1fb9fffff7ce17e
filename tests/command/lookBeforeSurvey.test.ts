import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lookDocumentSchema } from '../../src/contract/dto/look'
import { optionsRequestSchema } from '../../src/contract/dto/options'
import { surveyDocumentSchema } from '../../src/contract/dto/survey'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type SurveyEngine, surveyEngine } from '../support/surveyEngine'
import { temporaryFolder } from '../support/temporaryFolder'

const FILES = 2000

interface Place {
  readonly source: string
  readonly surveys: SurveyEngine
}

/** A source of 2,000 files of 8 KB. */
async function placeOfFiles(): Promise<Place> {
  const folder = await temporaryFolder()
  const source = join(folder, 'source')
  for (let at = 0; at < 20; at++) mkdirSync(join(source, `${at}`), { recursive: true })
  const content = new Uint8Array(8000)
  for (let at = 0; at < FILES; at++) {
    seededRandom(at).fillBytes(content)
    writeFileSync(join(source, `${at % 20}`, `${at}.bin`), content)
  }
  return { source, surveys: surveyEngine(join(folder, 'home')) }
}

interface Followed {
  /** The phases in their order. */
  readonly phases: string[]
  /** Each once. */
  readonly looks: string[]
  /** The files that had been read when the look was there. */
  readonly filesThen: number[]
  readonly outcome: string
  readonly surveyId: string
}

/**
 * Surveys with a look first. The survey is paused as soon as it looks, until the look is there, so
 * that it cannot end before.
 */
async function followed(
  { source, surveys: { begin, engine } }: Place,
  { onLook, ...options }: Record<string, unknown> & { onLook?: (jobId: string) => void },
): Promise<Followed> {
  const phases: string[] = []
  const looks: string[] = []
  const filesThen: number[] = []
  let files = 0
  let isPaused = false
  const { ended } = await begin(
    [source],
    { samples: 'none', ...options },
    ({ jobId, phase, filesDone }) => {
      files = filesDone
      if (phases.at(-1) !== phase.name) phases.push(phase.name)
      if (phase.name !== 'looking' || isPaused) return
      isPaused = true
      void engine.handlers.job.pause({ jobId })
    },
    ({ jobId, lookId }) => {
      if (lookId === undefined || looks.includes(lookId)) return
      looks.push(lookId)
      filesThen.push(files)
      onLook?.(jobId)
      void engine.handlers.job.resume({ jobId })
    },
  )
  const { outcome, resultId } = await ended
  return { phases, looks, filesThen, outcome, surveyId: resultId ?? '' }
}

describe('a survey with a look first', () => {
  it('looks at what it has listed, then reads just that: nothing is listed again', async () => {
    const place = await placeOfFiles()
    const { handlers } = place.surveys.engine
    const { phases, looks, filesThen, outcome, surveyId } = await followed(place, {
      lookFromSeconds: 0,
      onLook: () => writeFileSync(join(place.source, '0', 'later.bin'), 'not listed'),
    })
    expect(outcome).toBe('done')
    expect(phases.filter((name) => name !== 'listing')).toEqual(['looking', 'reading'])
    expect(looks).toHaveLength(1)
    expect(filesThen).toEqual([0])
    const look = lookDocumentSchema.parse(await handlers.survey.looked({ walkId: looks[0] ?? '' }))
    const survey = surveyDocumentSchema.parse(await handlers.survey.get({ surveyId }))
    expect(survey.totals.files).toBe(FILES)
    const { clonedBytes: _, hardLinkedBytes: _linked, ...counted } = survey.totals
    expect(look.totals).toMatchObject(counted)
    expect(look.sizeHistogram).toEqual(survey.sizeHistogram)
    expect(look.sample).toMatchObject({ bytes: FILES * 8000, end: 'all' })
    const options = await handlers.options.list(
      optionsRequestSchema.parse({ surveyId: look.id, mediumIds: ['disk'] }),
    )
    expect(options.preliminary?.readBytes).toBe(look.sample.readBytes)
  })

  it('does not look where the survey takes less than asked', async () => {
    const place = await placeOfFiles()
    const { phases, looks, outcome } = await followed(place, { lookFromSeconds: 1e6 })
    expect(outcome).toBe('done')
    expect(phases.at(-1)).toBe('reading')
    expect(phases).not.toContain('looking')
    expect(looks).toEqual([])
  })

  it('does not look where an earlier survey knows the source', async () => {
    const place = await placeOfFiles()
    await place.surveys.survey([place.source])
    const { phases, outcome } = await followed(place, { lookFromSeconds: 0 })
    expect(outcome).toBe('done')
    expect(phases).toEqual(['reading'])
  })

  it('keeps its answer where the survey is cancelled, which has read nothing then', async () => {
    const place = await placeOfFiles()
    // The survey cannot end before it is cancelled.
    const huge = join(place.source, 'huge.bin')
    writeFileSync(huge, '')
    truncateSync(huge, 2 ** 40)
    const { handlers } = place.surveys.engine
    const { looks, outcome, surveyId } = await followed(place, {
      lookFromSeconds: 0,
      onLook: (jobId) => void handlers.job.cancel({ jobId }),
    })
    expect(outcome).toBe('cancelled')
    expect(surveyId).toBe('')
    expect(
      lookDocumentSchema.parse(await handlers.survey.looked({ walkId: looks[0] ?? '' })).compression,
    ).not.toEqual([])
  })
})
