import { describe, expect, it } from 'vitest'
import {
  branchOf,
  gaugeParts,
  HUES,
  MOST_TONED,
  shareTones,
  toneFill,
  toneLetter,
} from '../../../renderer/src/steps/plan/shareTones'
import { planDocument } from '../../support/catalogPlan'

const hue = (at: number, rank = at) => ({ rank, hue: at, onRamp: null })
const share = (path: string, bytes: number) => ({ path, bytes, files: 1 })
const MEDIUM = planDocument('p-1', 's-1', 1).medium
const SECTOR = MEDIUM.sectorBytes

describe('the colours of a plan’s folders', () => {
  const volumes = [
    { shares: [share('a/x', 50), share('a/y', 10), share('', 7)] },
    { shares: [share('a/z', 70), share('a/x', 30)] },
  ]

  it('go to the largest folders over all discs, whatever the order of the discs', () => {
    const { toned, others } = shareTones(volumes)
    expect(toned).toEqual([
      { path: 'a/x', tone: hue(1), bytes: 80 },
      { path: 'a/z', tone: hue(2), bytes: 70 },
      { path: 'a/y', tone: hue(3), bytes: 10 },
    ])
    expect(others).toBe(7)
    expect(shareTones(volumes.toReversed())).toEqual(shareTones(volumes))
  })

  it('end with the sixth folder: smaller ones and the rest are others', () => {
    const many = [{ shares: Array.from({ length: 9 }, (_, at) => share(`f${at}`, 100 - at)) }]
    const { toned, toneOf, others } = shareTones(many)
    expect(toned.map(({ path }) => path)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5'])
    expect(toned).toHaveLength(HUES)
    expect(toneOf.get('f6')).toBeUndefined()
    expect(others).toBe(94 + 93 + 92)
    expect(shareTones([{ shares: [share('a', 1)] }]).others).toBeNull()
  })

  it('are settled by the path for folders of one size', () => {
    const equal = [{ shares: [share('b', 5), share('c', 5), share('a', 5)] }]
    expect(shareTones(equal).toned.map(({ path }) => path)).toEqual(['a', 'b', 'c'])
    expect([1, 2, 24].map((rank) => toneLetter({ rank }))).toEqual(['A', 'B', 'X'])
  })
})

describe('the colours of years', () => {
  const years = (count: number) => Array.from({ length: count }, (_, at) => share(`p/${2000 + at}`, 100 + at))
  const places = (count: number) =>
    shareTones([{ shares: years(count).toReversed() }]).toned.map(({ tone }) => tone.onRamp)

  it('run from old to new over one ramp, whatever their sizes', () => {
    const { toned, others } = shareTones([{ shares: years(24) }])
    expect(toned.map(({ path }) => path)).toEqual(years(24).map(({ path }) => path))
    expect(toned.map(({ tone }) => tone.rank)).toEqual(Array.from({ length: 24 }, (_, at) => at + 1))
    expect(toned[0]?.tone.onRamp).toBe(0)
    expect(toned[23]?.tone.onRamp).toBeCloseTo(1, 12)
    expect(others).toBeNull()
  })

  it('keep to its pale end while they are few', () => {
    expect(places(3)).toEqual([0, 0.1, 0.2])
    expect(places(11).at(-1)).toBeCloseTo(1, 12)
  })

  it('leave the hues to the other folders, and come before them', () => {
    const { toned, toneOf } = shareTones([
      { shares: [share('p/raw', 900), ...years(2), share('p/2001 Karelia', 1), share('p/20015', 1)] },
    ])
    expect(toned.map(({ path }) => path)).toEqual(['p/2000', 'p/2001', 'p/2001 Karelia', 'p/raw', 'p/20015'])
    expect(toneOf.get('p/raw')).toEqual(hue(1, 4))
  })

  it('are no ramp where one folder alone is a year', () => {
    const { toned } = shareTones([{ shares: [share('p/2001', 5), share('p/raw', 9)] }])
    expect(toned.map(({ path, tone }) => [path, tone])).toEqual([
      ['p/raw', hue(1)],
      ['p/2001', hue(2)],
    ])
  })

  it('go to the largest years where they are more than the letters', () => {
    const { toned, others } = shareTones([{ shares: [...years(26), share('p/raw', 9)] }])
    expect(toned).toHaveLength(MOST_TONED)
    expect(toned[0]?.path).toBe('p/2002')
    expect(others).toBe(100 + 101 + 9)
  })

  it('are a place on the ramp in the style, and hues a colour of the window', () => {
    expect(toneFill({ rank: 2, hue: null, onRamp: 1 / 3 })).toEqual({
      className: 'share-year',
      style: { '--on-ramp': '33.3%' },
    })
    expect(toneFill(hue(4))).toEqual({ className: '', style: { background: 'var(--share-4)' } })
    expect(toneFill(null).style).toEqual({ background: 'var(--share-rest)' })
  })
})

describe('the parts of a gauge', () => {
  const volume = {
    shares: [share('small', 10 * SECTOR), share('large', 60 * SECTOR), share('', 5 * SECTOR)],
    sectors: 100,
    capacitySectors: 200,
  }
  const tones = {
    toneOf: new Map([
      ['large', hue(1)],
      ['small', hue(2)],
    ]),
  }
  const heights = (parts: ReturnType<typeof gaugeParts>) =>
    parts.map(({ path, height }) => [path, Number(height.toFixed(6))])

  it('are true to the capacity, with what the image adds on top', () => {
    expect(heights(gaugeParts(volume, { medium: MEDIUM }, tones))).toEqual([
      ['large', 0.3],
      ['small', 0.05],
      ['', 0.025],
      [null, 0.125],
    ])
  })

  it('end with the recovery data, which is no part of what the image adds', () => {
    const protection = { blockBytes: SECTOR, sets: [], bytes: 40 * SECTOR, scratchBytes: SECTOR }
    const parts = gaugeParts({ ...volume, sectors: 140, protection }, { medium: MEDIUM }, tones)
    expect(parts.map(({ kind, height }) => [kind, Number(height.toFixed(6))])).toEqual([
      ['files', 0.3],
      ['files', 0.05],
      ['files', 0.025],
      ['added', 0.125],
      ['recovery', 0.2],
    ])
  })

  it('fill a packed disc, and one that stores identical files once, in proportion', () => {
    const once = { ...volume, sectors: 50 }
    expect(heights(gaugeParts(once, { medium: MEDIUM }, tones))).toEqual([
      ['large', 0.2],
      ['small', 0.033333],
      ['', 0.016667],
    ])
  })

  it('of a disc of empty files are what the image adds alone', () => {
    const empty = { ...volume, shares: [share('a', 0)] }
    expect(heights(gaugeParts(empty, { medium: MEDIUM }, { toneOf: new Map([['a', hue(1)]]) }))).toEqual([
      ['a', 0],
      [null, 0.5],
    ])
  })
})

it('the folder that the gauges show is that of the first share with a name', () => {
  const [volume] = planDocument('p-1', 's-1', 1).volumes
  const of = (...paths: string[]) =>
    branchOf({
      volumes: [{ ...(volume as NonNullable<typeof volume>), shares: paths.map((path) => share(path, 1)) }],
    })
  expect(of('home/ana/Photos', '')).toBe('home/ana')
  expect(of('Photos')).toBe('')
  expect(of('')).toBe('')
})
