import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SurveyDocument, type SurveyLive, surveyRequestSchema } from '../../src/contract/dto/survey'
import type { Catalog } from '../../src/engine/catalog/catalog'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import { type SketchFolder, sketchFolder } from '../../src/engine/survey/sketchFolder'
import { surveyJob } from '../../src/engine/survey/surveyJob'
import { mergeSurveys } from '../../src/engine/survey/surveyMerge'
import { type Clock, type Milliseconds, systemClock } from '../../src/primitives/clock'
import { seededRandom } from '../../src/primitives/seededRandom'

/** Files younger than this when a survey begins are not trusted by the next. */
const RACY_MS = 2100

/** The surveys' clock: it goes forward without a wait. */
let aheadMs = 0
const clock: Clock = { ...systemClock, wallMs: () => (systemClock.wallMs() + aheadMs) as Milliseconds }
const letRacyTimePass = (): void => void (aheadMs += RACY_MS)

let folder: string
let source: string
let catalog: Catalog
let sketches: SketchFolder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-documents-'))
  source = join(folder, 'source')
  catalog = openCatalog(join(folder, 'home'))
  sketches = sketchFolder(join(folder, 'home'))
})
afterAll(async () => {
  await sketches.settled()
  catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

const random = seededRandom(7)

/** Half noise, half repeats of a line: files of each extension compress alike. */
function put(name: string, bytes: number): void {
  const content = Buffer.alloc(bytes, 'one line that repeats\n')
  random.fillBytes(content.subarray(0, bytes / 2))
  writeFileSync(join(source, name), content)
}

function makeSource(): void {
  mkdirSync(join(source, 'below'), { recursive: true })
  for (let index = 0; index < 12; index++) put(`below/f${index}.${index % 2 ? 'txt' : 'dat'}`, 30_000 + index)
  for (const copy of ['copy 1.dat', 'copy 2.dat'])
    writeFileSync(join(source, copy), readFileSync(join(source, 'below', 'f0.dat')))
  writeFileSync(join(source, 'empty'), '')
  writeFileSync(join(source, 'zeros.img'), Buffer.alloc(100_000))
  linkSync(join(source, 'below', 'f1.txt'), join(source, 'linkname.txt'))
  symlinkSync('below', join(source, 'link'))
}

/** Everything that a survey stored and the last that it showed while it ran. */
interface Told {
  readonly checkpoints: SurveyDocument[]
  readonly finished: SurveyDocument[]
  readonly live: Omit<SurveyLive, 'jobId'>[]
}

let surveys = 0

/** @param stopAt cancelled at the first checkpoint with so many files */
async function survey(options: Record<string, unknown>, stopAt?: number): Promise<Told> {
  const reported: Told = { checkpoints: [], finished: [], live: [] }
  const stop = new AbortController()
  const id = `s-${++surveys}`
  const recording: Catalog = {
    ...catalog,
    beginSurvey(surveyId, earlierId) {
      const writer = catalog.beginSurvey(surveyId, earlierId)
      return {
        ...writer,
        checkpoint(document, entries) {
          // None is kept of a survey that is stored.
          if (reported.finished.length === 0) reported.checkpoints.push(structuredClone(document))
          writer.checkpoint(document, entries)
          if (document.totals.files === stopAt) stop.abort()
        },
        finish(document) {
          reported.finished.push(structuredClone(document))
          writer.finish(document)
        },
      }
    },
  }
  const request = surveyRequestSchema.parse({ paths: [source], samples: 'none', sha256: true, ...options })
  const checkpointMs = stopAt === undefined ? 60_000 : 20
  const job = surveyJob(request, { catalog: recording, sketches, checkpointMs })
  await job.run({
    jobId: 'j-1',
    clock,
    newId: () => id,
    signal: stop.signal,
    progress: () => undefined,
    live: (live) => reported.live.push(structuredClone(live)),
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
  expect(catalog.survey(id)).toEqual(reported.finished.at(-1))
  return reported
}

const FORECASTS = ['compression', 'combined', 'solid', 'grouped', 'fragments'] as const

/**
 * Keeps the fields that every run and every machine agrees on; forecasts by their names, their figures by whose they are.
 * @param isCut of a survey that was cancelled: the pass has counted blocks of the file that it was reading
 */
function masked(document: object, isCut: boolean): Record<string, unknown> {
  const name = (row: object): unknown[] =>
    Object.entries(row).flatMap(([key, value]) =>
      /^(codec|scope|recordSize|method|dictionaryBytes|order|by|blockSize|chunker)$/.test(key) ? [value] : [],
    )
  const rules: Readonly<Record<string, (value: never) => unknown>> = {
    roots: (roots: string[]) => roots.length,
    totals: (totals: SurveyDocument['totals']) => ({
      ...totals,
      // Which folders and links a cancelled pass has counted depends on when it is cancelled.
      folders: isCut ? 0 : totals.folders,
      symlinks: isCut ? 0 : totals.symlinks,
      allocatedBytes: 0,
      slackBytes: 0,
      sparseBytes: 0,
      clonedBytes: totals.clonedBytes === null ? null : 0,
    }),
    // So does how much of the large file it has read.
    unread: (unread: SurveyDocument['unread']) =>
      unread && { ...unread, bytes: Math.ceil(unread.bytes / 2 ** 36) * 2 ** 36 },
    createdWallMs: () => 0,
    timing: ({ reading, ...times }: SurveyDocument['timing']) => [Object.keys(times), reading !== null],
    trusted: (trusted: SurveyDocument['trusted']) => trusted && { ...trusted, createdWallMs: 0 },
    sizeHistogram: (bins: SurveyDocument['sizeHistogram']) => bins.filter(({ files }) => files > 0),
    // Codecs that have a forecast of a type depend on what time allows.
    types: (types: SurveyDocument['types']) =>
      types.map(({ compression, ...row }) => (compression ? { ...row, compression: 'forecast' } : row)),
    skipped: (skipped: SurveyDocument['skipped']) => skipped.map(({ code }) => code),
    ...(isCut && {
      fixedBlocks: (rows: object[]) => rows.map(name),
      chunked: (rows: object[]) => rows.map(name),
    }),
  }
  for (const key of FORECASTS) Object.assign(rules, { [key]: (rows: object[]) => rows.map(name) })
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => [key, rules[key]?.(value as never) ?? value]),
  )
}

/** JSON whose objects have their fields in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}

const lines: string[] = []

/**
 * One line for each field; of earlier documents of a survey only those that the last one changed. How far forecasts were when the
 * last live figures came depends on the machine; so does how often a survey is stored between the first and the last time.
 */
function note(title: string, reported: Told, isCut = false): void {
  const earlier = reported.finished.slice(0, -1)
  for (const { samples } of earlier) expect(samples, title).toBe('none')
  const documents = [
    ...reported.live.slice(isCut ? reported.live.length : -1).map((document) => ['live', document] as const),
    // The last one of a survey that was not stopped is made at its end, of what is then stored.
    ...reported.checkpoints
      .slice(isCut ? -1 : reported.checkpoints.length)
      .map((document) => ['checkpoint', document] as const),
    ...earlier.slice(0, 1).map((document) => ['stored first', document] as const),
    ...reported.finished.slice(-1).map((document) => ['stored', document] as const),
  ]
  const text = documents.map(([which, document]) => {
    const fields = new Map(
      Object.entries(masked(document, isCut)).map(([key, value]) => [key, canonical(value)]),
    )
    if (which === 'live') for (const key of FORECASTS) fields.delete(key)
    return { which, fields }
  })
  for (const [at, { which, fields }] of text.entries()) {
    const last = text.at(-1)?.fields
    for (const key of [...fields.keys()].toSorted()) {
      if (at === text.length - 1 || fields.get(key) !== last?.get(key))
        lines.push(`${title}, ${which}: ${key} ${fields.get(key)}`)
    }
  }
}

const forecasts = ({ finished }: Told): unknown => {
  const { compression, combined, solid, grouped, fragments } = finished.at(-1) as SurveyDocument
  return { compression, combined, solid, grouped, fragments }
}

it('a survey stores the documents of its kind, field by field', async () => {
  makeSource()
  letRacyTimePass()

  const full = await survey({ samples: 'fast' })
  note('full', full)
  const unchanged = await survey({ samples: 'fast' })
  note('unchanged', unchanged)
  expect(forecasts(unchanged)).toEqual(forecasts(full))
  note('unchanged, more samples', await survey({ samples: 'normal' }))

  put('below/new.txt', 5_000)
  put('below/f2.dat', 6_000)
  rmSync(join(source, 'empty'))
  letRacyTimePass()
  note('changed', await survey({ samples: 'fast' }))
  put('below/later.txt', 5_500)
  letRacyTimePass()
  note('changed, more samples', await survey({ samples: 'thorough' }))
  note('quick', await survey({ samples: 'quick' }))

  letRacyTimePass()
  // Its SHA-256 takes a quarter of an hour.
  writeFileSync(join(source, 'zz hole'), '')
  truncateSync(join(source, 'zz hole'), 2 ** 40)
  note('cancelled on an earlier one', await survey({}, 17), true)
  note('cancelled', await survey({ full: true }, 17), true)
  rmSync(join(source, 'zz hole'))
  put('newer.txt', 5_000)
  note('after a cancelled one', await survey({}))

  const merged = await mergeSurveys(catalog, sketches, [`s-${surveys}`, `s-${surveys - 4}`])
  for (const [key, value] of Object.entries(masked(merged, false))) {
    const rows =
      key === 'surveys'
        ? merged.surveys.map(({ id, files, bytes, partial, adds }) => ({ id, files, bytes, partial, adds }))
        : value
    lines.push(`merged: ${key} ${canonical(rows)}`)
  }
  const golden = join(import.meta.dirname, '..', 'fixtures', 'surveyDocuments.txt')
  expect(lines).toEqual(readFileSync(golden, 'utf8').trimEnd().split('\n'))
})
