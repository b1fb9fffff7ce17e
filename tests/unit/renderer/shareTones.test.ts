import { describe, expect, it } from 'vitest'
import {
  branchOf,
  gaugeParts,
  shareTones,
  TONES,
  toneLetter,
} from '../../../renderer/src/steps/plan/shareTones'
import { planDocument } from '../../support/catalogPlan'

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
      { path: 'a/x', tone: 1, bytes: 80 },
      { path: 'a/z', tone: 2, bytes: 70 },
      { path: 'a/y', tone: 3, bytes: 10 },
    ])
    expect(others).toBe(7)
    expect(shareTones(volumes.toReversed())).toEqual(shareTones(volumes))
  })

  it('end with the sixth folder: smaller ones and the rest are others', () => {
    const many = [{ shares: Array.from({ length: 9 }, (_, at) => share(`f${at}`, 100 - at)) }]
    const { toned, toneOf, others } = shareTones(many)
    expect(toned.map(({ path }) => path)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5'])
    expect(toned).toHaveLength(TONES)
    expect(toneOf.get('f6')).toBeUndefined()
    expect(others).toBe(94 + 93 + 92)
    expect(shareTones([{ shares: [share('a', 1)] }]).others).toBeNull()
  })

  it('are settled by the path for folders of one size', () => {
    const equal = [{ shares: [share('b', 5), share('c', 5), share('a', 5)] }]
    expect(shareTones(equal).toned.map(({ path }) => path)).toEqual(['a', 'b', 'c'])
    expect([1, 2, 6].map(toneLetter)).toEqual(['A', 'B', 'F'])
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
      ['large', 1],
      ['small', 2],
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
    expect(heights(gaugeParts(empty, { medium: MEDIUM }, { toneOf: new Map([['a', 1]]) }))).toEqual([
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
