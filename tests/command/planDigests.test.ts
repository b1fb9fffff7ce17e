import {
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ProgressUpdate } from '../../src/engine/jobs/jobContext'
import { planJob } from '../../src/engine/sets/plan/planJob'
import { type Bench, openBench, runJob, temporaryFolder } from '../support/archiveRun'

/** Files younger than this when a survey begins are not trusted by the next. */
const RACY_MS = 2100
const FILES = 5
const FILE_BYTES = 100_000
const ALL_BYTES = FILES * FILE_BYTES

let old: ReturnType<typeof temporaryFolder>
let folder: ReturnType<typeof temporaryFolder>
let source: string
let bench: Bench

beforeAll(async () => {
  old = temporaryFolder('plan-digests-old')
  writeSource(old.path)
  await new Promise((resolve) => setTimeout(resolve, RACY_MS))
})
afterAll(() => old.dispose())
beforeEach(() => {
  folder = temporaryFolder('plan-digests')
  source = join(folder.path, 'source')
  mkdirSync(source)
  writeSource(source)
  bench = openBench(join(folder.path, 'data'))
})
afterEach(() => {
  bench.close()
  folder.dispose()
})

function writeSource(place: string): void {
  for (let index = 0; index < FILES; index++) {
    writeFileSync(join(place, `f${index}`), Buffer.alloc(FILE_BYTES, index))
  }
  writeFileSync(join(place, 'empty'), '')
}

const missing = (surveyId: string) => bench.catalog.missingSha256(surveyId)

/** Makes a plan: the bytes that it read for SHA-256, as its progress counts them, and the digest of each path. */
async function plan(surveyId: string): Promise<{ read: number; digests: Map<string, string> }> {
  let read = 0
  const onProgress = ({ phase, bytesDone }: ProgressUpdate): void => {
    if (phase.name === 'hashing') read = Math.max(read, bytesDone)
  }
  const job = planJob({ catalog: bench.catalog }, { surveyId, mediumId: 'folder:10MB' })
  const planId = await runJob(job, { onProgress })
  if (typeof planId !== 'string') throw new Error('the job made nothing')
  const digests = new Map<string, string>()
  for (const entry of bench.catalog.planEntries(planId, 1)) {
    if (entry.kind === 'file') digests.set(entry.path, entry.sha256)
  }
  return { read, digests }
}

test('a second plan of a survey without SHA-256 reads nothing', async () => {
  const surveyId = await bench.survey([source])
  expect(missing(surveyId)).toEqual({ files: FILES, bytes: ALL_BYTES })
  const first = await plan(surveyId)
  expect([first.read, first.digests.size]).toEqual([ALL_BYTES, FILES + 1])
  expect(missing(surveyId)).toEqual({ files: 0, bytes: 0 })
  expect(bench.catalog.survey(surveyId).sha256).toBe(true)
  expect(await plan(surveyId)).toEqual({ read: 0, digests: first.digests })
})

test('after a changed file the plan is refused, and a new survey leaves only that file to read', async () => {
  const surveyId = await bench.survey([old.path])
  await plan(surveyId)
  writeFileSync(join(old.path, 'f1'), 'other content')
  await expect(plan(surveyId)).rejects.toMatchObject({ code: 'changed' })
  const later = await bench.survey([old.path])
  expect(missing(later)).toEqual({ files: 1, bytes: 13 })
  expect((await plan(later)).read).toBe(13)
  expect((await plan(later)).read).toBe(0)
})

test('a file with the size and time that were surveyed but another inode is planned and not kept', async () => {
  const surveyId = await bench.survey([source])
  const path = join(source, 'f2')
  const { atimeMs, mtimeMs } = statSync(path)
  utimesSync(path, atimeMs / 1000, Math.floor(mtimeMs / 1000))
  const fresh = await bench.survey([source])
  copyFileSync(path, join(folder.path, 'copy'))
  utimesSync(join(folder.path, 'copy'), atimeMs / 1000, Math.floor(mtimeMs / 1000))
  renameSync(join(folder.path, 'copy'), path)
  expect((await plan(fresh)).read).toBe(ALL_BYTES)
  expect(missing(fresh)).toEqual({ files: 1, bytes: FILE_BYTES })
  expect(bench.catalog.survey(fresh).sha256).toBe(false)
  expect((await plan(fresh)).read).toBe(FILE_BYTES)
  expect(missing(surveyId).files).toBe(FILES)
})

test('holes, further names and files with SHA-256 are not counted as missing', async () => {
  linkSync(join(source, 'f0'), join(source, 'second name'))
  writeFileSync(join(source, 'sparse'), '')
  truncateSync(join(source, 'sparse'), 64 * 1024 * 1024)
  const without = await bench.survey([source])
  expect(missing(without)).toEqual({ files: FILES + 1, bytes: ALL_BYTES })
  const withAll = await bench.survey([source], { sha256: true })
  expect(missing(withAll)).toEqual({ files: 0, bytes: 0 })
})
