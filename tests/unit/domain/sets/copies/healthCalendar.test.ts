import { expect, test } from 'vitest'
import { healthCalendar } from '../../../../../src/domain/sets/copies/healthCalendar'
import { volumeDue } from '../../../../fixtures/fakeEngine/fakeChecks'
import { volumeCopy } from '../../../../fixtures/fakeEngine/fakeCopies'

const now = new Date(2026, 0, 20, 12).getTime()
const DAY_MS = 86_400_000
const due = (label: string, volume: number, copy: number, dueDays: number) => ({
  ...volumeDue(label, volume, now, { checkedDays: 20, dueDays }),
  copy,
})

test('copies fall due by month and place, what is due now first, without a place last', () => {
  const volumes = [
    due('PHOTOS_03', 3, 1, 39),
    due('PHOTOS_01', 1, 2, -1),
    due('PHOTOS_02', 2, 1, 38),
    due('PHOTOS_02', 2, 2, 12),
    due('FAMILY_01', 1, 1, 39),
    due('PHOTOS_01', 1, 1, 11),
  ]
  const copies = [
    volumeCopy(0, 'plan folder', { volume: 1 }),
    volumeCopy(1, 'home', { volume: 1 }),
    volumeCopy(2, 'bank', { volume: 1 }),
    volumeCopy(1, 'home', { volume: 2 }),
    volumeCopy(2, 'bank', { volume: 2 }),
    volumeCopy(1, 'home', { volume: 3 }),
  ]
  const days = (wallMs: number | null) => (wallMs === null ? null : (wallMs - now) / DAY_MS)
  const rows = healthCalendar(volumes, copies, now).map(({ dueWallMs, ...row }) => [days(dueWallMs), row])
  expect(rows).toEqual([
    [null, { place: 'bank', copies: 1, labels: ['PHOTOS_01'] }],
    [11, { place: 'home', copies: 1, labels: ['PHOTOS_01'] }],
    [12, { place: 'bank', copies: 1, labels: ['PHOTOS_02'] }],
    [38, { place: 'home', copies: 2, labels: ['PHOTOS_02', 'PHOTOS_03'] }],
    [39, { place: null, copies: 1, labels: ['FAMILY_01'] }],
  ])
  expect(healthCalendar([], copies, now)).toEqual([])
})

test('a volume of which two copies fall due at one place in a month is named once', () => {
  const volumes = [due('PHOTOS_01', 1, 1, 11), due('PHOTOS_01', 1, 2, 11), due('PHOTOS_02', 2, 1, 11)]
  const copies = [volumeCopy(1, 'home'), volumeCopy(2, 'home'), volumeCopy(1, 'home', { volume: 2 })]
  expect(healthCalendar(volumes, copies, now)).toMatchObject([
    { place: 'home', copies: 3, labels: ['PHOTOS_01', 'PHOTOS_02'] },
  ])
})
