import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import {
  type RecordedDrills,
  type RecordedSurvey,
  recordBuilds,
  recordDrills,
  recordSurvey,
  SURVEY_NAMES,
  type SurveyName,
  surveyRecipe,
} from '../fixtures/recordings/record'

/*
 * What the window's tests know of the engine's answers is what the engine answered. To record anew:
 * STOWAGE_RECORD=1 npx vitest run --project command tests/command/recordings.test.ts
 */
const IS_RECORDING = process.env.STOWAGE_RECORD !== undefined

const at = (name: string): string => join(import.meta.dirname, '../fixtures/recordings', name)
const kept = (name: string): unknown => JSON.parse(readFileSync(at(name), 'utf8'))
const keptSurveys = () => kept('surveys.json') as RecordedSurveys

/** A row on each line. */
function keep(name: string, answer: unknown): void {
  writeFileSync(at(name), `${JSON.stringify(answer).replaceAll('},{', '},\n{')}\n`)
}

interface RecordedSurveys {
  readonly recipe: string
  readonly surveys: Readonly<Record<SurveyName, RecordedSurvey>>
}

async function surveyed(name: SurveyName): Promise<RecordedSurvey> {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-recording-'))
  try {
    return await recordSurvey(name, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function drilled(): Promise<RecordedDrills> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-recording-')))
  try {
    return await recordDrills(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What is counted, which samples and the speed of a machine do not change. */
function counted({ document, duplicates }: RecordedSurvey) {
  const { totals, fixedBlocks, duplicateFiles, tinyFiles, types, sizeHistogram, timing } = document
  const { allocatedBytes: _allocated, slackBytes: _slack, folders: _folders, ...counts } = totals
  return {
    counts,
    fixedBlocks,
    duplicateFiles,
    tinyFiles,
    types: types.map(({ compression: _compression, ...type }) => type),
    sizeHistogram,
    timing,
    duplicates,
  }
}

/** Each row of forecasts by what it is of. */
function forecastNames({
  compression,
  combined,
  solid,
  grouped = [],
  fragments = [],
  chunked,
}: SurveyDocument) {
  return {
    compression: compression.map(({ codec, recordSize }) => `${codec} ${recordSize}`).toSorted(),
    combined: combined
      .map(({ method, codec, recordSize, sectorBytes }) => `${method} ${codec} ${recordSize} ${sectorBytes}`)
      .toSorted(),
    solid: solid.map(({ order, dictionaryBytes }) => `${order} ${dictionaryBytes}`).toSorted(),
    grouped: grouped.map(({ by, dictionaryBytes }) => `${by} ${dictionaryBytes}`).toSorted(),
    fragments: fragments.map(({ codec, blockSize }) => `${codec} ${blockSize}`).toSorted(),
    chunked,
  }
}

async function recordAll(): Promise<void> {
  const surveys = {} as Record<SurveyName, RecordedSurvey>
  for (const name of SURVEY_NAMES) surveys[name] = await surveyed(name)
  keep('surveys.json', { recipe: surveyRecipe(), surveys })
  keep('builds.json', recordBuilds(Object.values(surveys).map(({ document }) => document)))
}

async function recordAllDrills(): Promise<void> {
  keep('drills.json', await drilled())
}

// Asked for, it is all that runs: what is recorded anew is not compared with what was.
if (IS_RECORDING) {
  it('records surveys and builds', recordAll)
  it('records restore drills', recordAllDrills)
}

describe.skipIf(IS_RECORDING)('the recordings', () => {
  it('the recorded surveys are of the sources and in the form that there are today', () => {
    const { recipe, surveys } = keptSurveys()
    expect(recipe, 'record anew').toBe(surveyRecipe())
    for (const { document } of Object.values(surveys))
      expect(surveyDocumentSchema.parse(document)).toEqual(document)
  })

  it('the engine counts in the source what it counted when it was recorded', async () => {
    const { surveys } = keptSurveys()
    const fresh = await surveyed('unsampled')
    expect(counted(fresh)).toEqual(counted(surveys.unsampled))
    expect(counted(surveys.photographs)).toEqual(counted(surveys.unsampled))
    expect(counted(await surveyed('empty'))).toEqual(counted(surveys.empty))
  })

  it.each(['photographs', 'films'] as const)(
    'the engine forecasts for %s what it forecast when it was recorded',
    {
      tags: 'long',
    },
    async (name) => {
      const { surveys } = keptSurveys()
      const fresh = await surveyed(name)
      expect(counted(fresh)).toEqual(counted(surveys[name]))
      expect(forecastNames(fresh.document)).toEqual(forecastNames(surveys[name].document))
    },
  )

  it('the builders refuse what they refused when it was recorded', () => {
    const { surveys } = keptSurveys()
    const documents = Object.values(surveys).map(({ document }) => document)
    expect(recordBuilds(documents)).toEqual(kept('builds.json'))
  })

  it('the engine answers about restore drills what it answered when they were recorded', async () => {
    expect(await drilled()).toEqual(kept('drills.json'))
  })
})
