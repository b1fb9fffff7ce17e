import { describe, expect, it } from 'vitest'
import { visitingOrder } from '../../../../src/domain/forecast/secondPhase'
import { lackingMs } from '../../../../src/engine/forecast/codecs/codecSamplesLeft'
import { SampleMeter } from '../../../../src/engine/forecast/codecs/codecSamplesMeter'
import { type Target, targetKey, targetsOf } from '../../../../src/engine/forecast/codecs/codecSamplesTargets'
import type { CodecSample } from '../../../../src/engine/forecast/codecs/codecSamplesUnits'
import { COMBINED_MS_A_SAMPLE, ForecastWork } from '../../../../src/engine/forecast/forecastWork'
import { expectRight, followed } from '../../../support/followedJob'

const MIB = 1024 * 1024

/** From when to when each kind of work lasted, in milliseconds of the clock. */
interface Lasted {
  readonly bytes: number
  readonly readMs: number
  readonly samples: number
  readonly kinds: readonly (readonly [kind: Parameters<ForecastWork['add']>[0], from: number, to: number])[]
}

/** Real surveys with `--samples normal` on two cores that other programs wanted too. */
const SURVEYS: readonly [string, Lasted][] = [
  [
    'the library of Python',
    {
      bytes: 54e6,
      readMs: 2530,
      samples: 1400,
      kinds: [
        ['matching', 2694, 3830],
        ['trying', 2694, 6870],
        ['timing', 6870, 16_606],
        ['packing', 16_606, 23_621],
        ['sampling', 20_707, 34_290],
        ['grouping', 23_621, 33_560],
        ['fragments', 23_621, 33_986],
        ['combining', 34_290, 35_288],
      ],
    },
  ],
  [
    'documents of packages',
    {
      bytes: 133e6,
      readMs: 1711,
      samples: 832,
      kinds: [
        ['matching', 1711, 4317],
        ['trying', 1711, 4736],
        ['timing', 4736, 8803],
        ['packing', 8803, 13_156],
        ['sampling', 13_156, 17_469],
        ['grouping', 13_156, 22_970],
        ['fragments', 13_156, 22_970],
        ['combining', 17_469, 19_637],
      ],
    },
  ],
  [
    'manual pages',
    {
      bytes: 94e6,
      readMs: 2339,
      samples: 4261,
      kinds: [
        ['matching', 2339, 3399],
        ['trying', 2339, 5755],
        ['timing', 5755, 10_260],
        ['packing', 10_260, 14_945],
        ['sampling', 14_939, 24_747],
        ['grouping', 14_945, 25_882],
        ['fragments', 14_945, 32_477],
        ['combining', 24_747, 29_470],
      ],
    },
  ],
]

describe('the time left of a survey', () => {
  it.for(SURVEYS)(
    'is right within a factor of two through reading and all forecasts: %s',
    async ([, { bytes, readMs, samples, kinds }]) => {
      const endMs = Math.max(...kinds.map(([, , to]) => to))
      const reported = await followed((context, pass) => {
        const work = new ForecastWork('normal', true)
        for (let ms = 0; ms <= endMs; ms += 100) {
          const read = Math.min(bytes, (bytes * ms) / readMs)
          const isSampled = kinds.some(([kind, from]) => kind === 'timing' && ms >= from)
          if (isSampled) work.add('combining', 0, 1, samples * COMBINED_MS_A_SAMPLE)
          for (const [kind, from, to] of kinds) {
            if (ms > from) work.add(kind, ms - from, to - from)
          }
          context.progress({
            phase: { index: 1, count: 3, name: 'reading' },
            filesDone: 0,
            filesTotal: null,
            bytesDone: read,
            bytesTotal: bytes,
            current: null,
            work: [{ kind: 'reading', unit: 'bytes', done: read, total: bytes }, ...work.rows()],
          })
          pass(100)
        }
      })
      expectRight(reported)
    },
  )

  it('leaves nothing once kinds of work have ended, whatever was expected of them', () => {
    const work = new ForecastWork('fast', false)
    work.add('sampling', 1, 2, 8000)
    work.end(['trying', 'timing', 'sampling', 'combining'])
    for (const { done, total } of work.rows()) expect(done).toBe(total)
  })
})

describe('the visits that codecs have whatever the budget says', () => {
  const size = 200 * MIB
  const samples = [10, 60, 110, 160].map((at): CodecSample => {
    const data = new Uint8Array(MIB / 4)
    return {
      rootIndex: 0,
      path: Buffer.from('disk.img'),
      fileBytes: size,
      offset: at * MIB,
      history: new Uint8Array(0),
      data,
    }
  })
  const units = samples.map(({ data }) => ({
    stratum: 'image/2',
    bytes: data.length,
    probability: 1,
    covariates: [data.length, data.length],
  }))
  const calibrated = { units, weights: units.map(() => 1), groups: units.map(() => 0) }
  const setting = {
    prepared: {
      samples,
      calibrated,
      calibratedForLz4: calibrated,
      quick: [],
      lz4Speed: 0,
      zstd1Speed: 0,
    },
    visiting: visitingOrder(calibrated, () => 0.5),
    speeds: new Map([['zstd-9', { packBytesPerSecond: 50e6 }]] as const),
  }
  const meter = new SampleMeter('normal', samples, async (_, __, length) => new Uint8Array(length))
  const nine = targetsOf('normal', true).find((target) => targetKey(target) === 'zstd-9') as Target
  const unvisited = {
    target: nine,
    measured: [],
    spentMs: 0,
    packMs: 0,
    bytesRead: 0,
    busy: false,
    isNarrow: false,
  }

  it('take the bytes of the file that are compressed before a sample at the speed of the codec', () => {
    // 4 MiB of history before each of four samples, or the file up to the last one once.
    const ms = lackingMs([unvisited], setting, meter)
    expect(ms).toBeCloseTo((4 * 4.25 * MIB) / 50_000, 0)
  })

  it('are expected to take what the visits before took', () => {
    const measured = [{ compressedBytes: 1, bytesRead: 4.25 * MIB, records: [] }]
    const ms = lackingMs([{ ...unvisited, measured, spentMs: 900, bytesRead: 4.25 * MIB }], setting, meter)
    expect(ms).toBeCloseTo(3 * 900, 0)
  })

  it('are none of a codec that has seen every sample', () => {
    const measured = samples.map(() => ({ compressedBytes: 1, bytesRead: 1, records: [] }))
    expect(lackingMs([{ ...unvisited, measured, spentMs: 900, bytesRead: 4 }], setting, meter)).toBe(0)
  })
})
