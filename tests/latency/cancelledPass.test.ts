import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHUNKERS } from '../../src/domain/survey/chunkers'
import { type NativeSurvey, startNativeSurvey } from '../../src/engine/native/addon'
import { DEFAULTS, hole, takeAll, temporaryFolder } from '../support/surveyedFolder'

const MEBIBYTE = 1 << 20
const GIBIBYTE = 2 ** 30
/** Rounds in which the survey was still at work when it was cancelled. */
const ROUNDS = 3
/** On a loaded machine a pass may be over before this thread has its turn: such a round shows nothing and is made again. */
const MOST_ROUNDS = 12
const TINY_FILES = 1500
/** What a thread reads between two looks at whether it shall go on. */
const PIECE_BYTES = MEBIBYTE

const turn = () => new Promise<void>((done) => void setImmediate(done))

/** A file that is read as data for many seconds: its bytes have places on the disk, though nothing was written there. */
function hugeFile(): string {
  const root = temporaryFolder()
  execFileSync('fallocate', ['-l', `${4 * GIBIBYTE}`, join(root, 'huge')])
  return root
}

function tinyFiles(): string {
  const root = temporaryFolder()
  for (let index = 0; index < TINY_FILES; index++) writeFileSync(join(root, `${index}`), `tiny ${index}`)
  return root
}

/** Of one survey that was cancelled as soon as it was `busy`. */
interface Cancelled {
  readonly waitMs: number
  /** What was still done from the cancel on. */
  readonly files: number
  readonly bytes: number
  readonly threads: number
}

/** Null if it was over before. */
async function cancelWhen(root: string, busy: (survey: NativeSurvey) => boolean): Promise<Cancelled | null> {
  const survey = startNativeSurvey({
    roots: [root],
    ...DEFAULTS,
    threads: 0,
    sha256: true,
    chunkers: CHUNKERS,
    sampleBytes: 8 * MEBIBYTE,
  })
  const pass = { isOver: false }
  void survey.finished.then(() => {
    pass.isOver = true
  })
  while (!pass.isOver && !busy(survey)) await turn()
  const asked = performance.now()
  survey.cancel()
  const before = survey.progress()
  const end = await survey.finished
  const waitMs = performance.now() - asked
  const reported = [...takeAll(survey).values()]
  const bytes = reported.reduce((sum, entry) => sum + entry.bytes, 0)
  for (const level of survey.blockLevels()) expect(level.bytes).toBe(bytes)
  const files = reported.filter(({ kind }) => kind === 'file').length
  const cutShort = reported.some(({ skip }) => skip?.code === 'cancelled')
  if (!end.cancelled || (before.walkFinished && files === before.filesFound && !cutShort)) return null
  return {
    waitMs,
    files: files - before.filesDone,
    bytes: bytes - before.bytesDone,
    threads: end.reading.most,
  }
}

test.each([
  ['a huge file', hugeFile, (survey: NativeSurvey) => survey.progress().bytesDone > 3 * MEBIBYTE],
  ['a folder of many tiny files', tinyFiles, (survey: NativeSurvey) => survey.progress().filesDone > 0],
  ['a hole', hole, (survey: NativeSurvey) => survey.progress().bytesDone > 0],
])('a survey in %s, with all it can do, ends within 200 ms of being cancelled', async (_, make, busy) => {
  const root = make()
  const rounds: Cancelled[] = []
  for (let round = 0; round < MOST_ROUNDS && rounds.length < ROUNDS; round++) {
    const cancelled = await cancelWhen(root, busy)
    if (cancelled) rounds.push(cancelled)
  }
  expect(rounds).toHaveLength(ROUNDS)
  for (const { files, bytes, threads } of rounds) {
    expect(files).toBeLessThanOrEqual(threads)
    expect(bytes).toBeLessThanOrEqual(threads * PIECE_BYTES)
  }
  // Every round does as little; other work on the machine can only make one longer.
  expect(Math.min(...rounds.map(({ waitMs }) => waitMs))).toBeLessThan(200)
})

test.each([
  ['of blocks', {}],
  ['of blocks, chunks and samples', { chunkers: CHUNKERS, sampleBytes: 8 * MEBIBYTE }],
])('a survey %s ends within 200 ms of being cancelled, and keeps what is known', async (_, more) => {
  const survey = startNativeSurvey({ roots: [hole()], ...DEFAULTS, sha256: true, ...more })
  while (survey.progress().bytesDone === 0) await turn()
  expect(survey.progress().current).toBe('hole')
  const asked = performance.now()
  survey.cancel()
  const end = await survey.finished
  expect(performance.now() - asked).toBeLessThan(200)
  expect(end).toMatchObject({ cancelled: true })
  const entry = takeAll(survey).get('hole')
  expect(entry).toMatchObject({ kind: 'skipped', skip: { code: 'cancelled' } })
  expect(survey.blockLevels()[0]?.bytes).toBe(entry?.bytes)
  for (const level of survey.chunkLevels()) expect(level.bytes).toBe(entry?.bytes)
})
