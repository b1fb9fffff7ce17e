import { execFileSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHUNKERS } from '../../../../src/domain/chunking/chunkers'
import { type NativeSurvey, startNativeSurvey } from '../../../../src/engine/native/addon'
import { DEFAULTS, put, takeAll, temporaryFolder } from './surveyedFolder'

const MEBIBYTE = 1 << 20
const GIBIBYTE = 2 ** 30
/** Other work on the machine may take the processor away for a moment: the middle one of some rounds counts. */
const ROUNDS = 3
const TINY_FILES = 1500

const turn = () => new Promise<void>((done) => void setImmediate(done))

/** A file that is read as data for many seconds: its bytes have places on the disk, though nothing was written there. */
function hugeFile(): string {
  const root = temporaryFolder()
  execFileSync('fallocate', ['-l', `${4 * GIBIBYTE}`, join(root, 'huge')])
  return root
}

function tinyFiles(): string {
  const root = temporaryFolder()
  for (let index = 0; index < TINY_FILES; index++) put(root, `${index}`, `tiny ${index}`)
  return root
}

function hole(): string {
  const root = temporaryFolder()
  put(root, 'hole', 'x')
  truncateSync(join(root, 'hole'), 2 ** 40)
  return root
}

test.each([
  ['a huge file', 1, hugeFile, (survey: NativeSurvey) => survey.progress().bytesDone > 3 * MEBIBYTE],
  [
    'a folder of many tiny files',
    TINY_FILES,
    tinyFiles,
    (survey: NativeSurvey) => survey.progress().filesDone > 20,
  ],
  ['a hole', 1, hole, (survey: NativeSurvey) => survey.progress().bytesDone > 0],
])(
  'a survey in %s, with all it can do, ends within 200 ms of being cancelled',
  async (_, files, make, busy) => {
    const root = make()
    const waitsMs: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const survey = startNativeSurvey({
        roots: [root],
        ...DEFAULTS,
        threads: 0,
        sha256: true,
        chunkers: CHUNKERS,
        sampleBytes: 8 * MEBIBYTE,
      })
      while (!busy(survey)) await turn()
      const asked = performance.now()
      survey.cancel()
      const end = await survey.finished
      waitsMs.push(performance.now() - asked)
      expect(end.cancelled).toBe(true)
      const told = [...takeAll(survey).values()]
      expect(told.filter(({ kind }) => kind === 'file').length).toBeLessThan(files)
      const bytes = told.reduce((sum, entry) => sum + entry.bytes, 0)
      for (const level of survey.blockLevels()) expect(level.bytes).toBe(bytes)
    }
    expect(waitsMs.toSorted((a, b) => a - b)[ROUNDS >> 1]).toBeLessThan(200)
  },
)
