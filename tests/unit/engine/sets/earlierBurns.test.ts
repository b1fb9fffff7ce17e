import { describe, expect, it } from 'vitest'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import type { RunDocument } from '../../../../src/contract/dto/run'
import { earlierBurns } from '../../../../src/engine/sets/plan/earlierBurns'
import { AppError } from '../../../../src/primitives/appError'

const burn = (planId: string, speed: number | null, kind: 'drive' | 'file' = 'drive'): RunDocument => ({
  schema: 'stowage.run/1',
  id: 'w-1',
  kind: 'write',
  planId,
  directory: '/plan',
  startedWallMs: 0,
  elapsedMs: 0,
  outcome: 'done',
  target: { kind, path: '/dev/sr0', tool: 'xorriso', speed, onTheFly: false },
  volumes: (['done', 'failed'] as const).map((state) => ({
    index: 1,
    label: 'DISC',
    state,
    forecastSectors: 100,
    actualSectors: 100,
    files: 1,
    bytes: 204_800,
    elapsedMs: 90_000,
    errors: [],
    written: {
      sha256: '',
      bytes: 204_800,
      endedWallMs: 0,
      writeMs: 80_000,
      verified: false,
      verifyMs: null,
      pipe: {
        bufferBytes: 65_536,
        bytes: 204_800,
        seconds: 70,
        leastFilledBytes: 0,
        mostFilledBytes: 65_536,
        inputWaitedMs: 0,
        inputStalls: 0,
        outputWaitedMs: 20_000,
        outputStalls: 4,
        locked: false,
      },
    },
  })),
})

/** A catalog of these runs, whose plans are named after their media. */
const catalogOf = (runs: RunDocument[]) => ({
  runs: () => runs,
  plan(id: string): PlanDocument {
    if (id === 'removed') throw new AppError('not-found', 'no plan removed in the catalog')
    return { medium: { id } } as PlanDocument
  },
})

describe('earlier burns', () => {
  it('are what a drive took for whole discs of the medium, without waiting for data', () => {
    expect(earlierBurns(catalogOf([burn('dvd+r', null)]), 'dvd+r')).toEqual([{ bytes: 204_800, seconds: 60 }])
  })

  it('are those at the speed of the last one', () => {
    const runs = [burn('dvd+r', 4), burn('dvd+r', null), burn('dvd+r', 4)]
    expect(earlierBurns(catalogOf(runs), 'dvd+r')).toHaveLength(2)
  })

  it('are not those of other media, of files that stand in for discs, and of removed plans', () => {
    const runs = [burn('bd-r-25', null), burn('dvd+r', null, 'file'), burn('removed', null)]
    expect(earlierBurns(catalogOf(runs), 'dvd+r')).toEqual([])
  })
})
