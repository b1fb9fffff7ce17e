import { describe, expect, it } from 'vitest'
import { apart } from '../../../renderer/src/charts/endLabels'
import { logTicks } from '../../../renderer/src/charts/logAxis'
import { typedSize } from '../../../renderer/src/components/typedSize'
import {
  drawnSamples,
  fittedCurve,
  operationsAsked,
  proofVerdict,
  rateAt,
  sizeExtent,
  timeBins,
  typicalRead,
} from '../../../renderer/src/steps/measure/measureFigures'
import {
  initialMeasure,
  isDepth,
  type MeasureState,
  reduceMeasure,
  requestOf,
  specKinds,
  wrongFields,
} from '../../../renderer/src/steps/measure/measureState'
import {
  formatTime,
  measureFigure,
  proofWords,
  timeRange,
  warningWords,
} from '../../../renderer/src/steps/measure/measureWords'
import { needsAgreement } from '../../../renderer/src/steps/measure/timedState'
import type { MeasureRequest, MeasureSample } from '../../../src/contract/dto/measure'
import { PRESETS } from '../../../src/domain/devices/presets'
import { FakeMeasurements } from '../../fixtures/fakeEngine/fakeMeasurements'
import { FakeMeasurement } from '../../fixtures/fakeEngine/measurements'

const REQUEST: MeasureRequest = {
  directory: '/mnt/fast',
  spec: { kind: 'preset', preset: 'quick' },
  budgetBytes: 200_000_000,
  cache: null,
  depth: null,
  codec: null,
  readOnly: false,
  container: null,
}
const measurement = new FakeMeasurement(REQUEST, {}, PRESETS.quick)
const document = measurement.document('m-1', 1)
const cached = new FakeMeasurement(REQUEST, { isCached: true }, PRESETS.quick).document('m-2', 1)

const set = (state: MeasureState, form: Partial<MeasureState['form']>) =>
  reduceMeasure(state, { type: 'set', form })

describe('what is set', () => {
  it('asks for nothing until a place is chosen and every field makes sense', () => {
    expect(requestOf(initialMeasure.form, null)).toBeNull()
    const placed = set(initialMeasure, { place: { path: '/mnt/a', mayWrite: true } })
    expect(requestOf(placed.form, null)).toEqual({
      directory: '/mnt/a',
      spec: { kind: 'preset', preset: 'quick' },
      budgetBytes: null,
      cache: null,
      depth: null,
      codec: null,
      readOnly: false,
      container: null,
    })
    const inside = set(placed, { inside: 'UDSP', encryption: 256 })
    expect(requestOf(inside.form, null)?.container).toEqual({ kind: 'UDSP', encryption: 256 })
    const every = set(placed, { inside: 'all' })
    expect(requestOf(every.form, null)?.container).toEqual({ kind: 'all', encryption: 256 })
    expect(requestOf(set(inside, { readOnly: true }).form, null)?.container).toBeNull()
    expect(requestOf(set(placed, { budget: '2 apples' }).form, null)).toBeNull()
    expect(requestOf(set(placed, { spec: 'survey' }).form, null)).toBeNull()
    expect(requestOf(set(placed, { spec: 'survey' }).form, 's1')?.spec).toEqual({
      kind: 'survey',
      surveyId: 's1',
    })
    expect(requestOf(set(placed, { budget: '2GB', cache: 'buffered' }).form, null)).toMatchObject({
      budgetBytes: 2_000_000_000,
      cache: 'buffered',
    })
  })

  it('never writes to what was handed over to be read, and takes that back with another place', () => {
    const source = set(initialMeasure, { place: { path: '/photos', mayWrite: false } })
    expect(requestOf(set(source, { readOnly: false }).form, null)?.readOnly).toBe(true)
    const other = set(source, { place: { path: '/mnt/a', mayWrite: true } })
    expect(requestOf(other.form, null)?.readOnly).toBe(false)
    const chosen = set(other, { readOnly: true })
    expect(set(chosen, { place: { path: '/mnt/b', mayWrite: true } }).form.readOnly).toBe(true)
  })

  it('drops the preview and the agreement whenever it changes', () => {
    const state = reduceMeasure(
      reduceMeasure(initialMeasure, { type: 'previewed', preview: measurement.preview }),
      { type: 'agreed', agreed: true },
    )
    expect(state).toMatchObject({ preview: measurement.preview, agreed: true })
    expect(set(state, { budget: '1GB' })).toMatchObject({ preview: null, agreed: false })
    const told = reduceMeasure(state, { type: 'problem', problem: { code: 'not-found', message: 'gone' } })
    expect(told).toMatchObject({ preview: null, problem: { message: 'gone' } })
  })

  it('takes a budget as people write it', () => {
    expect([typedSize(''), typedSize('64MB'), typedSize('0'), typedSize('lots')]).toEqual([
      null,
      64_000_000,
      undefined,
      undefined,
    ])
  })

  it('offers the survey and an earlier specification only where there are some', () => {
    expect(specKinds(initialMeasure.form, false)).not.toContain('survey')
    expect(specKinds({ ...initialMeasure.form, again: { id: 'm', name: 'Mine' } }, true)).toEqual([
      'quick',
      'stibium',
      'small',
      'sustained',
      'streaming',
      'survey',
      'again',
      'own',
    ])
  })

  it('asks before a large share of the device is written, not before reading', () => {
    const { preview } = measurement
    expect(needsAgreement({ ...preview, shareOfCapacity: 0.05 })).toBe(false)
    expect(needsAgreement({ ...preview, shareOfCapacity: 0.06 })).toBe(true)
    expect(needsAgreement({ ...preview, shareOfCapacity: null })).toBe(false)
    expect(needsAgreement({ ...preview, shareOfCapacity: 0.5, readOnly: true })).toBe(false)
  })
})

describe('a test of one’s own', () => {
  const placed = set(initialMeasure, { place: { path: '/mnt/a', mayWrite: true }, spec: 'own' })
  const own = (form: Partial<MeasureState['form']>) => set(placed, form).form

  it('is sent with the usual values for what is empty', () => {
    const usual = { from: 1e6, to: 100e6, count: 30, mix: ['write', 'read'] }
    expect(requestOf(own({}), null)).toMatchObject({ spec: { kind: 'own', test: usual }, depth: null })
    const typed = own({ size: '4kB - 2MB', count: '500', mix: ['write', 'stream'], depth: '8' })
    expect(requestOf(typed, null)).toMatchObject({
      spec: { test: { from: 4000, to: 2e6, count: 500, mix: ['write', 'stream'] } },
      depth: 8,
    })
    expect(requestOf(own({ size: '8MiB' }), null)).toMatchObject({
      spec: { test: { from: 2 ** 23, to: 2 ** 23 } },
    })
  })

  it.each([
    ['size', { size: '8 apples' }],
    ['size', { size: '2MB-' }],
    ['count', { count: '0' }],
    ['count', { count: '20001' }],
    ['mix', { mix: [] }],
  ])('is not sent while its %s is wrong: %o', (field, form) => {
    expect([...wrongFields(own(form))]).toEqual([field])
    expect(requestOf(own(form), null)).toBeNull()
  })

  it('takes 1 to 64 requests at once, with every preset', () => {
    expect(['', '1', '64', '0', '65', 'x'].map(isDepth)).toEqual([true, true, true, false, false, false])
    expect(requestOf(set(placed, { spec: 'quick', depth: '65' }).form, null)).toBeNull()
  })
})

describe('a measurement that runs', () => {
  it('collects its samples and keeps outliers when there are too many', () => {
    const [first] = document.samples as [MeasureSample]
    const figures = { ...document, jobId: 'j1' }
    const live = (samples: MeasureSample[]) => ({ type: 'live' as const, live: { ...figures, samples } })
    const once = reduceMeasure(initialMeasure, live([first]))
    expect(reduceMeasure(once, live([first])).live?.samples).toHaveLength(2)
    const many = Array.from({ length: 7000 }, (_, index) =>
      index === 1 ? { ...first, mark: 'stall' as const } : { ...first, startMs: index },
    )
    const thinned = reduceMeasure(once, live(many)).live?.samples ?? []
    expect(thinned.length).toBeLessThanOrEqual(3502)
    expect(thinned.filter(({ mark }) => mark === 'stall')).toHaveLength(1)
    expect(reduceMeasure(once, { type: 'loaded', document })).toMatchObject({ live: null, document })
  })

  it('has its extent and its figures’ places from the specification, before any sample', () => {
    expect(sizeExtent([], document.spec)).toMatchObject({ from: 10_000 })
    expect(sizeExtent([], null)).toBeNull()
    expect(operationsAsked(document.spec)).toEqual(['write', 'read', 'randomRead'])
    expect(operationsAsked(PRESETS.streaming as never)).toEqual(['write', 'streamWrite', 'streamRead'])
  })
})

describe('the pictures', () => {
  it('draw the line through latency and rate: half the rate at the half-speed size', () => {
    expect(rateAt(1e9, 0, 2e9)).toBeCloseTo(2e9, 0)
    expect(rateAt(2e9 * 0.001, 1e6, 2e9)).toBeCloseTo(1e9, 0)
    const curve = fittedCurve(document.read, 10_000, 1e8)
    expect(curve[0]?.bytes).toBe(10_000)
    expect(curve.at(-1)?.bytes).toBeCloseTo(1e8, -2)
    expect(curve.every(({ low, rate, high }) => low <= rate && rate <= high)).toBe(true)
    expect(fittedCurve(document.randomRead, 10_000, 1e8)).toEqual([])
    expect(fittedCurve(null, 10_000, 1e8)).toEqual([])
  })

  it('draw few of many points, but every outlier', () => {
    const samples = document.samples.map((sample, index) => ({
      ...sample,
      mark: index === 33 ? ('stall' as const) : null,
    }))
    const op = samples[33]?.op ?? 'write'
    const drawn = drawnSamples(samples, op, 10)
    expect(drawn.length).toBeLessThanOrEqual(12)
    expect(drawn.filter(({ mark }) => mark === 'stall')).toHaveLength(1)
    expect(
      drawn.every((sample, index) => index === 0 || sample.bytes >= (drawn[index - 1]?.bytes ?? 0)),
    ).toBe(true)
  })

  it('count every access of the smallest size in one bin', () => {
    const { bins, sizes } = timeBins(document.samples)
    expect(sizes).toEqual({ write: 10_000, read: 10_000, randomRead: 4096 })
    const total = bins.reduce((sum, { counts }) => sum + (counts.randomRead ?? 0), 0)
    expect(total).toBe(document.randomRead?.samples)
    const one = (ns: number): MeasureSample => ({ ...(document.samples[0] as MeasureSample), bytes: 1, ns })
    const edges = timeBins([one(99_999), one(100_000), one(149_999), one(150_000)]).bins
    expect(edges.map(({ fromNs, counts }) => [fromNs, counts.write ?? 0])).toEqual([
      [70_000, 1],
      [100_000, 2],
      [150_000, 1],
    ])
    expect(timeBins([]).bins).toEqual([])
  })

  it('have the words of lines that end together apart, in their order, within the picture', () => {
    expect(apart([100, 40, 102], 300)).toEqual([100, 40, 116])
    expect(apart([298, 296], 300)).toEqual([300, 284])
    expect(apart([], 300)).toEqual([])
  })

  it('have round ticks around what they show, in powers of ten or of two', () => {
    expect(logTicks(12e6, 2.4e9, 'decimal', 7)).toEqual([10e6, 30e6, 100e6, 300e6, 1e9, 3e9])
    expect(logTicks(1.1e9, 1.9e9, 'decimal', 7)).toEqual([1e9, 1.5e9, 2e9])
    expect(logTicks(2 ** 20, 2 ** 24, 'binary', 7)).toEqual([1, 2, 4, 8, 16].map((mib) => mib * 2 ** 20))
    for (const [low, high] of [
      [1, 1e15],
      [10_000, 2e9],
      [3e8, 3.1e8],
    ] as const)
      for (const units of ['decimal', 'binary'] as const) {
        const ticks = logTicks(low, high, units, 7)
        expect(ticks.length, `${low} ${high} ${units}`).toBeLessThanOrEqual(7)
        expect(ticks[0]).toBeLessThanOrEqual(low)
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(high)
      }
  })
})

describe('what is believed', () => {
  it('is said in a sentence: the counters agree, nothing speaks against it, or what does', () => {
    expect(proofWords(document)).toBe(
      'Asked for direct I/O, got direct I/O: the device’s own counters agree.',
    )
    expect(proofVerdict(cached)).toBe('against')
    expect(proofWords(cached)).toMatch(/not plausible\. \d checks suggest/)
    const { cache } = document
    const without = { ...cache, evidence: cache.evidence.filter(({ code }) => code === 'resident') }
    expect(proofVerdict({ cache: without })).toBe('noCounters')
    const compared = { code: 'cachedRate' as const, holds: true, figure: 2e9, limit: 8e9 }
    expect(proofVerdict({ cache: { ...cache, evidence: [...cache.evidence, compared] } })).toBe('rates')
    expect(proofVerdict({ cache: { ...cache, plausible: false } })).toBe('suspects')
    expect(proofVerdict({ cache: { ...cache, plausible: false, evidence: [] } })).toBe('unproved')
    expect(
      proofWords({
        cache: { ...cache, obtained: 'buffered', because: 'tmpfs', plausible: false, evidence: [] },
      }),
    ).toMatch(/^Asked for direct I\/O, got buffered I\/O \(tmpfs\): no proof/)
  })

  it('never holds what was marked: it is counted, not averaged', () => {
    const list = new FakeMeasurements({}, [
      { seed: 5, bytesPerSecond: 2e9 },
      { seed: 6, isCached: true },
      { seed: 7, bytesPerSecond: 1e9 },
    ]).list()
    const typical = typicalRead(list, document.device.key)
    const [one, other] = list.filter(({ plausible }) => plausible).map((item) => item.readBytesPerSecond ?? 0)
    expect(typical).toEqual({ rate: ((one as number) + (other as number)) / 2, runs: 2, leftOut: 1 })
    expect(typicalRead(list, 'another')).toEqual({ rate: null, runs: 0, leftOut: 0 })
  })

  it('shows in the rail, or that there is nothing to believe', () => {
    expect(measureFigure(null, 'decimal')).toBe('')
    expect(measureFigure(document, 'decimal')).toMatch(/GB\/s$/)
    expect(measureFigure(cached, 'decimal')).toBe('not plausible')
  })
})

describe('the words', () => {
  it('write times in the unit that suits them, ranges in the same', () => {
    expect([0.4, 999, 181_000, 3_400_000, 1.2e9].map(formatTime)).toEqual([
      '0 ns',
      '999 ns',
      '181 µs',
      '3.40 ms',
      '1.20 s',
    ])
    const estimate = { value: 980_000, low: 930_000, high: 1_040_000 }
    expect(timeRange({ ...estimate, confidence: 0.95, provenance: 'measured', basis: '' })).toBe('930–1040')
  })

  it('fill in the figures of every warning', () => {
    const knee = {
      kneeBytes: 20e9,
      burstBytesPerSecond: 2e9,
      sustainedBytesPerSecond: 4e8,
    }
    expect(warningWords({ code: 'knee', op: 'write', figures: knee }, 'decimal')).toBe(
      'Write: After 20.0 GB the rate fell from 2.00 GB/s to 400 MB/s: a write cache in the drive was full.',
    )
    expect(warningWords({ code: 'bimodal', op: 'read', figures: { share: 0.2, factor: 3 } }, 'decimal')).toBe(
      'Read: There are two kinds of samples: 20.0 % of them are 3 times slower than the others. One line does not describe both.',
    )
    for (const warning of cached.warnings) expect(warningWords(warning, 'decimal')).not.toMatch(/[{}]/)
  })
})
