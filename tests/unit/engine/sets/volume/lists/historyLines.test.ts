import { describe, expect, it } from 'vitest'
import type { PlanEntry } from '../../../../../../src/contract/dto/plan'
import { grownIndex } from '../../../../../../src/engine/sets/volume/lists/grownIndex'
import {
  generationsIn,
  type History,
  type HistoryLine,
  historyIn,
} from '../../../../../../src/engine/sets/volume/lists/historyLines'
import { entryFacts, escapeTsv, indexTsv } from '../../../../../../src/engine/sets/volume/lists/indexTsv'
import { isSetIndex, readSetIndex } from '../../../../../../src/engine/sets/volume/lists/setIndex'

const SHA = { a: 'a'.repeat(64), b: 'b'.repeat(64), c: 'c'.repeat(64) }
const file = (path: string, sha256: string, more: Partial<PlanEntry> = {}): PlanEntry =>
  ({
    kind: 'file',
    path,
    source: `/s/${path}`,
    bytes: 5,
    sha256,
    mtimeNs: '1',
    mode: 0o644,
    ...more,
  }) as PlanEntry
const generation = (number: number, setId = '') => ({
  generation: number,
  planId: `p-${number}`,
  setId,
  createdWallMs: Date.parse(`202${number}-05-01T00:00:00Z`),
})
const line = (entry: PlanEntry, more: Partial<HistoryLine> = {}): HistoryLine => ({
  facts: entryFacts(entry),
  on: { generation: 1, volume: 2, label: 'A_02', sector: '300' },
  at: '',
  since: 1,
  until: 1,
  ...more,
})
const history = (lines: HistoryLine[]): History => ({
  generation: 2,
  generations: [generation(1, SHA.a), generation(2)],
  lines,
})
const text = (entries: PlanEntry[], lines: HistoryLine[]): Buffer =>
  Buffer.from(
    [
      ...indexTsv([{ index: 1, label: 'A_03', entries }], { sectorOf: () => 400, history: history(lines) }),
    ].join(''),
  )

describe('the index of a plan that adds to an earlier one', () => {
  const odd = 'naïve\ttab\udcff'
  const moved = line(file(odd, SHA.b), { at: escapeTsv('old\nname'), since: 2, until: 2 })
  const written = text([file('new', SHA.c)], [line(file('gone', SHA.a)), moved])

  it('lists the plans, and what is on its own volumes as any other index does', () => {
    expect(isSetIndex(written)).toBe(true)
    expect(generationsIn(written.toString('utf8'))).toEqual([generation(1, SHA.a), generation(2)])
    expect(readSetIndex(written, 'INDEX.tsv')).toMatchObject({
      unreadable: [],
      volumes: [{ index: 1, label: 'A_03' }],
      rows: [{ path: 'new', volume: 1 }],
    })
  })

  it('comes back line by line, whatever characters names have', () => {
    const [own, ...earlier] = historyIn(written.toString('utf8'))
    expect(earlier).toEqual([line(file('gone', SHA.a)), moved])
    const on = { generation: 2, volume: 1, label: 'A_03', sector: '400' }
    expect(own).toEqual(line(file('new', SHA.c), { on, since: 2, until: 2 }))
  })

  it('gives the source as it was, with the places of contents on volumes of all plans', () => {
    const index = grownIndex(written)
    const rows = (asOf?: string) =>
      index?.asOf(asOf).rows.map(({ path, at, label, volume }) => [path, at, label, volume])
    expect(rows('1')).toEqual([['gone', 'gone', 'A_02', 1]])
    expect(rows('2021-12-31')).toEqual(rows('1'))
    expect(rows()).toEqual([
      ['new', 'new', 'A_03', 2],
      [odd, 'old\nname', 'A_02', 1],
    ])
    expect([index?.knows(SHA.a), index?.knows(SHA.b)]).toEqual([true, false])
  })

  it('is of one generation where it names no others', () => {
    const plain = Buffer.from(
      [...indexTsv([{ index: 1, label: 'A_01', entries: [file('x', SHA.a)] }])].join(''),
    )
    expect(grownIndex(plain)).toBeNull()
  })

  it('does not lead out of a volume', () => {
    const outside = text([], [line(file('x', SHA.a), { at: '../x', until: 2 })])
    expect(grownIndex(outside)?.asOf(undefined)).toMatchObject({ rows: [], unreadable: [8] })
  })

  it('names the place of a content that is twice on the new volumes, or split over them', () => {
    const open = { generation: 2, volume: 0, label: '', sector: '' }
    const whole = { wholePath: 'film', wholeBytes: 10, wholeSha256: SHA.b, parts: 2 }
    const parts = [1, 2].map((part) =>
      file(`film.00${part}`, `${part}`.repeat(64), {
        kind: 'part',
        offset: 5 * (part - 1),
        part,
        ...whole,
      }),
    )
    const copies = text(
      [file('new', SHA.c), ...parts],
      [
        line(file('copy', SHA.c), { on: open, at: 'new', since: 2, until: 2 }),
        line(file('copy of film', SHA.b, { bytes: 10 }), { on: open, at: 'film', since: 2, until: 2 }),
      ],
    )
    const rows = grownIndex(copies)?.asOf(undefined).rows ?? []
    expect(rows.slice(3)).toMatchObject([
      { kind: 'file', path: 'copy', at: 'new', label: 'A_03', sector: 400 },
      { kind: 'part', whole: 'copy of film', path: 'copy of film.001', at: 'film.001', offset: 0 },
      { kind: 'part', whole: 'copy of film', path: 'copy of film.002', at: 'film.002', offset: 5 },
    ])
  })
})
