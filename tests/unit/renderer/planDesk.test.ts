import { describe, expect, it } from 'vitest'
import {
  isSamePlacement,
  keptTogether,
  labelled,
  ofOtherDiscs,
  ordered,
  pinned,
  placementOf,
  released,
  reserved,
} from '../../../renderer/src/steps/plan/placement'
import { initialPlan, type PlanState, reducePlan } from '../../../renderer/src/steps/plan/planState'
import { drawnTiles, placeOf, shelfLayout, tileByKey } from '../../../renderer/src/steps/plan/shelfLayout'
import { planDocument } from '../../support/catalogPlan'

describe('what a person wants of the discs', () => {
  it('moves a folder with everything in it: earlier pins of it and in it give way, others stay', () => {
    const before = {
      pins: [
        { path: 'a/b', volume: 1 },
        { path: 'a/b/c', volume: 2 },
        { path: 'a/bc', volume: 3 },
      ],
    }
    expect(pinned(before, { path: 'a/b', volume: 4 })).toEqual({
      pins: [
        { path: 'a/bc', volume: 3 },
        { path: 'a/b', volume: 4 },
      ],
    })
  })

  it('is nothing once all of it was taken back', () => {
    const all = reserved(
      ordered(labelled(keptTogether(pinned({}, { path: 'a', volume: 2 }), 'b'), 1, 'FIRST'), 'date'),
      5000,
    )
    expect(all).toEqual({
      pins: [{ path: 'a', volume: 2 }],
      keep: ['b'],
      labels: [{ volume: 1, label: 'FIRST' }],
      order: 'date',
      reserveBytes: 5000,
    })
    const none = labelled(released(released(reserved(ordered(all, null), 0), 'a'), 'b'), 1, null)
    expect(none).toEqual({})
    expect(isSamePlacement(none, {})).toBe(true)
    expect(ofOtherDiscs(all)).toEqual({ keep: ['b'], order: 'date', reserveBytes: 5000 })
  })

  it('is the same in another order of its pins and labels', () => {
    const one = {
      pins: [
        { path: 'a', volume: 1 },
        { path: 'b', volume: 2 },
      ],
    }
    expect(isSamePlacement(one, { pins: one.pins.toReversed(), keep: [] })).toBe(true)
    expect(isSamePlacement(one, { pins: [{ path: 'a', volume: 1 }] })).toBe(false)
  })

  it('is read from a plan with paths as they are on the discs', () => {
    const of = (roots: string[], ...paths: string[]) =>
      placementOf({ roots, placement: { keep: paths } }).keep
    expect(of(['/home/ana/Photos'], '/home/ana/Photos/2011/x', '/other')).toEqual(['2011/x', '/other'])
    expect(of(['/a/Photos/', '/b/Music'], '/a/Photos/x', '/b/Music')).toEqual(['Photos/x', 'Music'])
    expect(of(['/a/Photos', '/b/photos'], '/b/photos/x')).toEqual(['/b/photos/x'])
  })
})

describe('the state of the Plan step', () => {
  const plan = { ...planDocument('p-1', 's-1', 3), placement: { keep: ['/archive/a'] }, roots: ['/archive'] }
  const loaded = reducePlan(initialPlan, { type: 'loaded', document: plan, exportedTo: null })
  const change = (state: PlanState, path: string) =>
    reducePlan(state, { type: 'placed', placement: keptTogether(state.placement, path) })

  it('takes a change back that no plan could be made of, and remembers those before', () => {
    expect(loaded.placement).toEqual({ keep: ['a'] })
    const changed = change(loaded, 'b')
    expect(changed.before).toEqual([{ keep: ['a'] }])
    expect(reducePlan(changed, { type: 'notPlanned' })).toMatchObject({
      placement: { keep: ['a'] },
      before: [],
    })
    expect(reducePlan(loaded, { type: 'notPlanned' })).toBe(loaded)
  })

  it('forgets a change that was undone', () => {
    const changed = change(change(loaded, 'b'), 'c')
    expect(changed.before).toHaveLength(2)
    const undone = reducePlan(changed, {
      type: 'placed',
      placement: changed.before.at(-1) ?? {},
      isBack: true,
    })
    expect(undone).toMatchObject({ placement: { keep: ['a', 'b'] }, before: [{ keep: ['a'] }] })
  })

  it('keeps what could be undone and the selected disc when the plan was made again', () => {
    const changed = change({ ...loaded, selectedVolume: 2 }, 'b')
    const again = { ...plan, id: 'p-2', placement: { keep: ['/archive/a', '/archive/b'] } }
    const state = reducePlan(changed, { type: 'loaded', document: again, exportedTo: null })
    expect(state).toMatchObject({ before: [{ keep: ['a'] }], selectedVolume: 2 })
    const other = reducePlan(changed, {
      type: 'loaded',
      document: { ...again, placement: {} },
      exportedTo: null,
    })
    expect(other).toMatchObject({ before: [], placement: {} })
  })

  it('drops pins and labels with another medium, whose discs are others', () => {
    const named = reducePlan(loaded, {
      type: 'placed',
      placement: labelled(pinned(loaded.placement, { path: 'x', volume: 2 }), 1, 'A'),
    })
    expect(reducePlan(named, { type: 'medium', mediumId: 'dvd-r' }).placement).toEqual({ keep: ['a'] })
    expect(reducePlan(named, { type: 'medium', mediumId: named.mediumId }).placement).toBe(named.placement)
  })
})

describe('the rows of a shelf', () => {
  it('fill the width, with smaller tiles for more discs', () => {
    const names = [1, 4, 5, 12, 13, 72, 73, 7404].map((discs) => shelfLayout(discs, 1100).size.name)
    expect(names).toEqual(['large', 'large', 'medium', 'medium', 'small', 'small', 'tiny', 'tiny'])
    for (const discs of [1, 2, 12, 59, 200])
      for (const width of [300, 616, 776, 1100]) {
        const layout = shelfLayout(discs, width)
        const right = Math.max(
          ...Array.from({ length: discs }, (_, at) => placeOf(at, layout).left + layout.tilePx),
        )
        expect(right, `${discs} in ${width}`).toBeLessThanOrEqual(width + 1e-9)
        expect(layout.tilePx).toBeGreaterThanOrEqual(layout.size.leastPx)
        expect(layout.heightPx).toBe(Math.ceil(discs / layout.columns) * layout.rowPx)
      }
  })

  it('draw what is in view, and stay in a column for the arrow keys', () => {
    const layout = shelfLayout(1000, 1000)
    const { from, to } = drawnTiles(1000, layout, { top: layout.rowPx * 10, height: layout.rowPx * 3 })
    expect([from, to]).toEqual([8 * layout.columns, 15 * layout.columns])
    expect(tileByKey('ArrowDown', 1, 10, 4, 2)).toBe(5)
    expect(tileByKey('ArrowDown', 7, 10, 4, 2)).toBe(7)
    expect(tileByKey('ArrowUp', 5, 10, 4, 2)).toBe(1)
    expect(tileByKey('PageDown', 0, 10, 4, 2)).toBe(8)
    expect(tileByKey('Home', 7, 10, 4, 2)).toBe(0)
    expect(tileByKey('End', 7, 10, 4, 2)).toBe(9)
    expect(tileByKey('a', 7, 10, 4, 2)).toBeNull()
  })
})
