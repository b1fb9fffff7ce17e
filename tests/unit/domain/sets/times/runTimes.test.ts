import { describe, expect, test } from 'vitest'
import type { PlanTimes, VolumeTimes } from '../../../../../src/domain/sets/planDocument'
import type { RunDocument, RunVolume } from '../../../../../src/domain/sets/runDocument'
import { runTimes } from '../../../../../src/domain/sets/times/runTimes'
import type { Estimate } from '../../../../../src/primitives/estimate'

const about = (value: number): Estimate => ({
  value,
  low: value / 2,
  high: value * 2,
  confidence: 0.95,
  provenance: 'modelled',
  basis: 'a test',
})
const timesOf = (volumes: number): VolumeTimes => ({
  pack: about(30 * volumes),
  build: about(10 * volumes),
  write: about(20 * volumes),
  verify: about(5 * volumes),
  restore: about(1),
})
const times: PlanTimes = { total: timesOf(3), volumes: [timesOf(1), timesOf(1), timesOf(1)] }

const WRITTEN = {
  sha256: 'a',
  bytes: 1,
  writeMs: 2500,
  verified: true,
  verifyMs: 1500,
  endedWallMs: 0,
  pipe: null,
}

function run(kind: RunDocument['kind'], elapsedMs: number, ...states: RunVolume['state'][]) {
  const volumes = states.map((state, at) => ({
    index: at + 1,
    label: `A_0${at + 1}`,
    state,
    forecastSectors: 1,
    actualSectors: 1,
    files: 1,
    bytes: 1,
    elapsedMs: 4000,
    errors: [],
    written: kind === 'write' ? WRITTEN : undefined,
  }))
  return { kind, elapsedMs, volumes }
}

describe('the times of a run', () => {
  test('of some volumes are compared with the sum of their forecasts', () => {
    expect(runTimes(times, run('build', 13_000, 'done', 'kept', 'done'), { volumes: 3 })).toEqual([
      { step: 'build', forecast: { ...about(20) }, actualSeconds: 8, volumes: 2 },
    ])
    expect(runTimes(times, run('verify', 9000, 'done', 'failed', 'pending'), { volumes: 3 })).toMatchObject([
      { step: 'verify', forecast: { value: 5, low: 2.5, high: 10 }, actualSeconds: 4, volumes: 1 },
    ])
  })

  test('of verified images are not compared with reading discs back', () => {
    const burnt = { ...times, burn: {} as PlanTimes['burn'] }
    expect(runTimes(burnt, run('verify', 9000, 'done'), { volumes: 3 })).toEqual([])
    expect(runTimes(burnt, run('write', 9000, 'done'), { volumes: 3 })).toMatchObject([
      { step: 'write' },
      { step: 'verify', forecast: { value: 5 } },
    ])
  })

  test('have packing apart from building where it came before', () => {
    const built = run('build', 50_000, 'done', 'done')
    const steps = runTimes(times, built, { volumes: 2, packing: 'before' })
    expect(steps.map(({ step, forecast, actualSeconds }) => [step, forecast.value, actualSeconds])).toEqual([
      ['pack', 90, 42],
      // The archives filled two volumes instead of three: the whole is compared with the whole.
      ['build', 30, 8],
    ])
    expect(runTimes(times, built, { volumes: 3, packing: 'with each' })).toMatchObject([
      { step: 'build', forecast: { value: 80 }, actualSeconds: 8 },
    ])
  })

  test('of a write have writing and reading back', () => {
    const steps = runTimes(times, run('write', 20_000, 'done'), { volumes: 3 })
    expect(steps.map(({ step, forecast, actualSeconds }) => [step, forecast.value, actualSeconds])).toEqual([
      ['write', 20, 2.5],
      ['verify', 5, 1.5],
    ])
  })

  test('are none without a forecast, and where no volume was finished', () => {
    expect(runTimes(undefined, run('build', 1, 'done'), { volumes: 1 })).toEqual([])
    expect(runTimes(times, run('build', 1, 'failed', 'kept'), { volumes: 2 })).toEqual([])
    expect(
      runTimes(
        times,
        {
          ...run('build', 1, 'done'),
          volumes: [{ ...run('build', 1, 'done').volumes[0], index: 9 } as RunVolume],
        },
        { volumes: 12 },
      ),
    ).toEqual([])
  })
})
