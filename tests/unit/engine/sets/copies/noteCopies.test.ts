import { describe, expect, test } from 'vitest'
import type { CopyNoteRequest } from '../../../../../src/contract/dto/copies'
import type { NewEvent } from '../../../../../src/domain/sets/volumeEvent'
import { copiesDue } from '../../../../../src/engine/sets/copies/copiesDue'
import { noteCopies } from '../../../../../src/engine/sets/copies/noteCopies'

const NOW_MS = 1_772_500_000_000
const PLACE: CopyNoteRequest = { of: 'p', copy: 1, kind: 'place', place: 'home', medium: null }

/** A catalog that knows plan `p` with one volume, and keeps the events that are added. */
function emptyCatalog() {
  const events: NewEvent[] = []
  const catalog = {
    plans: () => [{ id: 'p', directory: null, directoryExists: false, volumes: 1, mediumKind: 'image' }],
    runs: () => [],
    events: () => events,
    addEvents: (added: readonly NewEvent[]) => void events.push(...added),
    planVolumeLabels: () => [{ planId: 'p', volume: 1, label: 'PHOTOS_01' }],
  }
  return { events, catalog: catalog as unknown as Parameters<typeof noteCopies>[0] }
}

describe('a note on a copy', () => {
  test('says where it is, also of a copy that is not known yet', () => {
    const { catalog } = emptyCatalog()
    const noted = noteCopies(catalog, PLACE, NOW_MS)
    expect(noted).toMatchObject([{ planId: 'p', volume: 1, label: 'PHOTOS_01', copy: 1, place: 'home' }])
  })

  test('of a place names one, and no other note does', () => {
    const { catalog, events } = emptyCatalog()
    for (const wrong of [{ place: null }, { kind: 'lost' }] as const)
      expect(() => noteCopies(catalog, { ...PLACE, ...wrong }, NOW_MS)).toThrow('a place is missing')
    expect(events).toEqual([])
  })

  test('that it was lost needs a copy that is known', () => {
    const { catalog, events } = emptyCatalog()
    const lost = { ...PLACE, kind: 'lost', place: null } as const
    expect(() => noteCopies(catalog, lost, NOW_MS)).toThrow('the catalog knows no copy 1 of it')
    expect(events).toEqual([])
    noteCopies(catalog, PLACE, NOW_MS)
    expect(noteCopies(catalog, lost, NOW_MS)).toMatchObject([{ copy: 1, state: 'lost' }])
  })
})

test('copies that were lost do not fall due, neither those of a plan nor of a set without one', () => {
  const { catalog, events } = emptyCatalog()
  const event = (kind: NewEvent['kind'], planId: string | null, copy: number, setId: string | null) =>
    events.push({
      kind,
      of: null,
      planId,
      setId,
      volume: 1,
      copy,
      label: 'PHOTOS_01',
      wallMs: NOW_MS,
      facts: { byEntries: true },
    })
  const due = () => copiesDue(catalog, NOW_MS).map(({ planId, copy }) => `${planId ?? 'set'} ${copy}`)
  for (const copy of [1, 2]) event('good', null, copy, 'S')
  event('good', 'p', 1, 'T')
  // Of an earlier version, which did not note the set.
  event('good', 'p', 2, null)
  expect(due().toSorted()).toEqual(['p 1', 'p 2', 'set 1', 'set 2'])
  event('lost', 'p', 2, null)
  event('lost', null, 1, 'S')
  expect(due().toSorted()).toEqual(['p 1', 'set 2'])
})
