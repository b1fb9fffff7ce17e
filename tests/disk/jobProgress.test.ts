import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JobProgress } from '../../src/contract/dto/job'
import { type Milliseconds, systemClock } from '../../src/primitives/clock'
import { temporaryFolder } from '../support/archiveRun'
import { type RecordedJob, recordedChain } from '../support/recordedChain'

const BYTES = 200e6
/** What the whole chain may take on a machine that others keep busy: no bound of what is tested. */
const PATIENCE_MS = 900_000

/** Reports come four times a second of it: a quick disk builds a folder within one of the system's. */
const HURRIED = { ...systemClock, monotonicMs: () => (25 * systemClock.monotonicMs()) as Milliseconds }

const folder = temporaryFolder('progress')
let jobs: RecordedJob[] = []
const reportsOf = (name: string): readonly JobProgress[] =>
  jobs.find((job) => job.name === name)?.reports ?? []
const isSorted = (values: readonly number[]): boolean =>
  values.every((each, at) => each >= (values[at - 1] ?? each))

beforeAll(async () => {
  jobs = await recordedChain({ folder: folder.path, bytes: BYTES, samples: 'fast', clock: HURRIED })
}, PATIENCE_MS)
afterAll(() => folder.dispose())

describe('the progress of a set from survey to restore', { tags: 'long' }, () => {
  test('has a share of the whole that never falls, and never reaches the end before the job', () => {
    expect(jobs).toHaveLength(19)
    for (const { name, reports } of jobs) {
      expect(reports.length, name).toBeGreaterThan(0)
      const shares = reports.flatMap(({ share }) => (share == null ? [] : [share]))
      expect(isSorted(shares), name).toBe(true)
      expect(Math.max(0, ...shares), name).toBeLessThanOrEqual(1)
      expect(isSorted(reports.map(({ phase }) => phase.index)), name).toBe(true)
    }
  })

  test.each(['images', 'folder', 'packed'])('counts bytes of %s in every job that moves them', (kind) => {
    for (const step of ['build', 'verify', 'write', 'restore']) {
      const name = `${kind}: ${step}`
      const reports = reportsOf(name).filter(({ bytesTotal }) => bytesTotal !== null)
      for (const phase of new Set(reports.map((each) => each.phase.index))) {
        const own = reports.filter((each) => each.phase.index === phase)
        expect(isSorted(own.map(({ bytesDone }) => bytesDone)), name).toBe(true)
        expect(new Set(own.map(({ bytesTotal }) => bytesTotal)).size, name).toBe(1)
      }
      const last = reports.at(-1)
      expect(last?.bytesTotal, name).toBeGreaterThan(kind === 'packed' ? 0.7 * BYTES : 0.9 * BYTES)
      expect(last?.bytesDone, name).toBe(last?.bytesTotal)
      expect(isSorted(reports.map(({ filesDone }) => filesDone)), name).toBe(true)
    }
  })

  test('counts files one by one where each costs time', () => {
    // A folder may be verified within one report: tests/unit/engine/sets/verify counts its files.
    for (const name of ['folder: build', 'folder: write', 'folder: restore']) {
      const counts = new Set(reportsOf(name).map(({ filesDone }) => filesDone))
      expect(counts.size, name).toBeGreaterThan(3)
      expect(Math.max(...counts), name).toBeLessThanOrEqual(reportsOf(name).at(-1)?.filesTotal ?? 0)
    }
  })

  test('speaks of images for images, and of copying for folders', () => {
    const phases = (name: string): string[] => [...new Set(reportsOf(name).map(({ phase }) => phase.name))]
    expect(phases('images: build')).toEqual(['building'])
    expect(phases('folder: build')).toEqual(['copying'])
    expect(phases('folder: write')).toEqual(['copying', 'verifying'])
    expect(phases('images: plan')).toContain('sizing')
    expect(phases('folder: plan')).not.toContain('sizing')
    expect(phases('packed: build')).toEqual(['packing', 'copying'])
  })

  test('is reported through all phases of a survey', () => {
    const phases = new Set(reportsOf('survey').map(({ phase }) => phase.name))
    expect([...phases]).toEqual(['reading', 'sampling', 'comparing'])
    expect(reportsOf('survey').at(-1)?.etaMs).not.toBeNull()
  })
})
