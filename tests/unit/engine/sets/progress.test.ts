import { describe, expect, it } from 'vitest'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import { exportProgress } from '../../../../src/engine/sets/export/exportProgress'
import { PackProgress } from '../../../../src/engine/sets/pack/packProgress'
import { planProgress } from '../../../../src/engine/sets/plan/planProgress'
import { buildSteps, buildWork } from '../../../../src/engine/sets/runs/buildWork'
import { volumeProgress } from '../../../../src/engine/sets/runs/volumeProgress'
import { writeProgress } from '../../../../src/engine/sets/write/writeProgress'
import { planDocument } from '../../../support/catalogPlan'
import { expectRight, followed } from '../../../support/followedJob'

/** A plan of images with so many files and sectors on each. */
function plannedOn(count: number, { files, sectors }: { files: number; sectors: number }): PlanDocument {
  const plan = planDocument('p-1', 's-1', count)
  const volumes = plan.volumes.map((each): PlanDocument['volumes'][number] => ({ ...each, files, sectors }))
  return { ...plan, volumes, totals: { ...plan.totals, files: count * files } }
}

const volume = (label: string) => ({ label, files: 10, bytes: 1000 })

describe('the progress of volumes', () => {
  it('follows the clock where writing an image takes several times as long as reading it back', async () => {
    const reported = await followed((context, pass) => {
      const volumes = [volume('A'), volume('B')]
      const progress = volumeProgress(context, 'building', volumes, () => [
        { kind: 'writing', bytes: 500, weight: 4 },
        { kind: 'readingBack', bytes: 500 },
      ])
      for (const at of volumes.keys()) {
        const tell = progress(at)
        for (let done = 50; done <= 1000; done += 50) {
          pass(done <= 500 ? 3500 : 500)
          tell(done)
        }
      }
    })
    expectRight(reported)
    expect(reported.at(-1)).toMatchObject({ bytesDone: 2000, bytesTotal: 2000 })
  })

  it('expects no time of volumes that are kept', async () => {
    const reported = await followed((context, pass) => {
      const volumes = ['A', 'B', 'C', 'D', 'E'].map(volume)
      const progress = volumeProgress(context, 'building', volumes, () => [{ kind: 'copying', bytes: 1000 }])
      for (const at of volumes.keys()) {
        const tell = progress(at)
        if (at < 3) continue
        for (let done = 50; done <= 1000; done += 50) {
          pass(1000)
          tell(done)
        }
      }
    })
    expectRight(reported)
  })
})

/** A volume of 1,000 blocks of 64 kB, with as many recovery blocks after them. */
const PROTECTED: NonNullable<PlanDocument['volumes'][number]['protection']> = {
  blockBytes: 65_536,
  sets: [
    {
      blocks: 1000,
      recoveryBlocks: 1000,
      description: { sector: 32_000, bytes: 2048 },
      recovery: { sector: 32_001, bytes: 65_536_000 },
    },
  ],
  bytes: 65_538_048,
  scratchBytes: 1,
}

describe('the progress of images with recovery data', () => {
  const plan = plannedOn(2, { files: 10, sectors: 65_000 })
  const safe = {
    ...plan,
    mastering: { ...plan.mastering, tool: 'stowage' },
    protectionMemoryBytes: 32_768_000,
    volumes: plan.volumes.map((each) => Object.assign(each, { protection: PROTECTED })),
  }

  it('goes on while recovery data is calculated, where files are read twice for it too', async () => {
    const names: string[] = []
    const reported = await followed((context, pass) => {
      const watched = {
        ...context,
        progress: (update: Parameters<typeof context.progress>[0]) => {
          names.push(update.phase.name)
          context.progress(update)
        },
      }
      const progress = volumeProgress(watched, 'building', safe.volumes, (each) => buildWork(safe, each))
      for (const [at, each] of safe.volumes.entries()) {
        const tell = progress(at)
        const work = buildWork(safe, each)
        expect(work.map(({ kind }) => kind)).toEqual(['protecting', 'protectingAgain', 'writing', 'flushing'])
        let done = 0
        for (const { kind, bytes } of work)
          for (let step = 1; step <= 20; step++) {
            pass(kind === 'writing' || kind === 'flushing' ? 100 : 1000)
            tell(done + (bytes * step) / 20)
            if (step === 20) done += bytes
          }
      }
    })
    expectRight(reported)
    expect(new Set(names)).toEqual(new Set(['protecting', 'building']))
  })

  it('goes on while a write builds them first', async () => {
    const reported = await followed((context, pass) => {
      const volumes = safe.volumes.map((each) => ({
        index: each.index,
        label: each.label,
        files: each.files,
        bytes: each.sectors * 2048,
        build: buildSteps(safe, each),
        writes: true,
        verifies: true,
      }))
      const pool = {
        shareOf: (shared: readonly { amount: number }[]) =>
          shared.reduce((sum, { amount }) => sum + amount, 0),
      }
      const progress = writeProgress(context, volumes, { pool, atMost: null })
      for (const [at, { bytes }] of volumes.entries()) {
        const tell = progress(at)
        for (const [step, ms] of [
          ['building', 1000],
          ['writing', 50],
          ['verifying', 50],
        ] as const)
          for (let part = 0; part <= 20; part++) {
            tell(step, (bytes * part) / 20)
            pass(ms)
          }
      }
    })
    const shares = reported.map(({ share }) => share ?? 0)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    // The building of the first of two volumes.
    const first = shares.slice(1, 21)
    expect(new Set(first).size).toBeGreaterThan(12)
    expect(first.at(-1)).toBeGreaterThan(0.3)
  })
})

describe('the progress of a plan', () => {
  it('never falls from phase to phase', async () => {
    const reported = await followed((context, pass) => {
      const progress = planProgress(context, { hashing: 1e9, entries: 100_000, parts: 2e8 })
      progress.owners()
      pass(2000)
      for (let step = 1; step <= 40; step++) {
        pass(500)
        progress.hashing([step, 40], (1e9 * step) / 40, '/a')
      }
      for (let round = 1; round <= 4; round++) {
        progress.layout(round, 0, 0)
        for (let sized = 1; sized <= 10; sized++) {
          pass(300)
          progress.layout(round, sized, 10)
        }
      }
      progress.parts(0, 3, 2e8)
      for (let step = 1; step <= 10; step++) {
        pass(400)
        progress.parts((2e8 * step) / 10, 3, 2e8)
      }
      progress.timing()
      pass(2200)
    })
    expectRight(reported)
    expect(reported.at(-2)?.share).toBeCloseTo(0.9, 1)
  })
})

describe('the progress of packing before a build', () => {
  it('counts the images that are made then, and archives that are made again', async () => {
    const plan = plannedOn(2, { files: 300, sectors: 240_000 })
    const reported = await followed((context, pass) => {
      const progress = new PackProgress(context, plan, 1e9)
      const pack = (bytes: number): void => {
        for (let step = 1; step <= 20; step++) {
          pass(bytes / 20 / 10_000)
          progress.packing((bytes * step) / 20)
        }
        progress.made()
      }
      progress.begin(0)
      // The first archive did not fit and was made again with fewer files.
      pack(5.2e8)
      pack(5e8)
      progress.accepted(5e8)
      pack(5e8)
      progress.accepted(5e8)
      const build = volumeProgress(context, 'building', plan.volumes, (each) => buildWork(plan, each))
      for (const [at, { sectors }] of plan.volumes.entries()) {
        const tell = build(at)
        const bytes = sectors * 2048
        for (let step = 1; step <= 20; step++) {
          pass((bytes / 20) * 40e-6)
          tell((bytes * step) / 20)
        }
      }
    })
    expectRight(reported)
    const packing = reported.filter(({ bytesTotal }) => bytesTotal === 1e9).map(({ bytesDone }) => bytesDone)
    expect(packing).toEqual(packing.toSorted((one, other) => one - other))
  })

  it('expects no time of archives that an earlier run left', async () => {
    const reported = await followed((context, pass) => {
      const progress = new PackProgress(context, plannedOn(0, { files: 0, sectors: 0 }), 1e9)
      progress.begin(8e8)
      for (let step = 1; step <= 40; step++) {
        pass(500)
        progress.packing((2e8 * step) / 40)
      }
    })
    expectRight(reported)
  })
})

describe('the progress of an export', () => {
  it('counts the lines of the index and of each volume', async () => {
    const reported = await followed((context, pass) => {
      const progress = exportProgress(context, plannedOn(30, { files: 1000, sectors: 200 }), '/plan')
      pass(12_000)
      for (let written = 0; written <= 30; written++) {
        progress(written)
        pass(600)
      }
    })
    expectRight(reported)
  })
})
