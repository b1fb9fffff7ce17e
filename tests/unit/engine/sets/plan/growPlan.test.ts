import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PlanEntry } from '../../../../../src/contract/dto/plan'
import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'
import { type GrownSource, growPlan } from '../../../../../src/engine/sets/plan/growPlan'
import { factOf, type HistoryLine } from '../../../../../src/engine/sets/volume/lists/historyLines'
import { entryFacts } from '../../../../../src/engine/sets/volume/lists/indexTsv'

const digest = (content: string): string => createHash('sha256').update(content).digest('hex')
const about = (path: string) => ({ path, source: `/s/${path}`, mtimeNs: '5', mode: 0o644 })

function file(path: string, content: string, more: object = {}): Extract<PlanEntry, { kind: 'file' }> {
  return { kind: 'file', ...about(path), bytes: content.length, sha256: digest(content), ...more }
}
const folder = (path: string): PlanEntry => ({ kind: 'folder', ...about(path) })
const link = (path: string, target: string): PlanEntry => ({ kind: 'symlink', ...about(path), target })
function part(path: string, content: string, of: string, whole: string, at: number): PlanEntry {
  const parts = {
    part: at,
    parts: 2,
    offset: 0,
    wholePath: of,
    wholeBytes: whole.length,
    wholeSha256: digest(whole),
  }
  return { kind: 'part', ...about(path), bytes: content.length, sha256: digest(content), ...parts }
}

/** A line on a volume of a generation; the source still has it. */
function line(entry: PlanEntry, volume: number, generation = 1, until = 1): HistoryLine {
  const on = { generation, volume, label: `V_${generation}${volume}`, sector: '' }
  return { facts: entryFacts(entry), on, at: '', since: generation, until }
}

/** The source that is added to what is on earlier volumes; volumes in `gone` do not count. */
function grown(
  lines: readonly HistoryLine[],
  entries: readonly PlanEntry[],
  gone: readonly string[] = [],
): GrownSource {
  const items = [{ path: '' }, ...entries.map(({ path }) => ({ path }))] as InventoryItem[]
  const isKept = ({ on }: HistoryLine): boolean => !gone.includes(on.label)
  return growPlan({ items }, entries, { generation: 3, generations: [], lines, isKept })
}

const onNew = ({ items }: GrownSource): string[] => items.map(({ path }) => path)
const places = ({ history }: GrownSource): string[] =>
  history
    .filter(({ until }) => until === 3)
    .map((one) => `${factOf(one, 'path')} on ${one.on.label || 'new'}${one.at === '' ? '' : ` at ${one.at}`}`)

describe('a plan that adds to others', () => {
  test('stores what is new once, with its folders, and names the places of the rest', () => {
    const before = [line(folder('a'), 1, 1, 2), line(file('a/old', 'old'), 1, 1, 2)]
    const entries = [
      folder('a'),
      file('a/old', 'old'),
      folder('b'),
      file('b/new', 'new'),
      file('b/twin', 'new'),
    ]
    const plan = grown(before, entries)
    expect(onNew(plan)).toEqual(['', 'b', 'b/new'])
    expect(places(plan)).toEqual(['a on V_11', 'a/old on V_11', 'b/twin on new at b/new'])
    expect(plan.growth.stored).toEqual({ files: 1, bytes: 3 })
  })

  test('stores further names of new files with them', () => {
    const entries = [file('new', 'new'), file('also', 'new', { linkOf: 'new' })]
    expect(onNew(grown([], entries))).toEqual(['', 'new', 'also'])
  })

  test('stores links that lead elsewhere now, and none that lead where they did', () => {
    const before = [
      line(link('same', 'x'), 1, 1, 2),
      line(link('moved', 'x'), 1, 1, 2),
      line(folder('other'), 1, 1, 2),
    ]
    const plan = grown(before, [link('same', 'x'), link('moved', 'y'), link('other', 'z')])
    expect(onNew(plan)).toEqual(['', 'moved', 'other'])
    expect(places(plan)).toEqual(['same on V_11'])
  })

  test('takes the newest volume that has a content, and an older one where that is gone', () => {
    const before = [line(file('one', 'same'), 1, 1, 1), line(file('two', 'same'), 1, 2, 1)]
    expect(places(grown(before, [file('three', 'same')]))).toEqual(['three on V_21 at two'])
    expect(places(grown(before, [file('three', 'same')], ['V_21']))).toEqual(['three on V_11 at one'])
    expect(onNew(grown(before, [file('three', 'same')], ['V_11', 'V_21']))).toEqual(['', 'three'])
  })

  test('stores a file in parts again where one part is gone', () => {
    const whole = 'in two parts'
    const parts = [part('big.001', 'in two', 'big', whole, 1), part('big.002', ' parts', 'big', whole, 2)]
    const before = parts.map((entry, at) => line(entry, at + 1, 1, 2))
    expect(onNew(grown(before, [file('big', whole)]))).toEqual([''])
    expect(onNew(grown(before, [file('big', whole)], ['V_12']))).toEqual(['', 'big'])
  })

  test('stores the files of an archive again where a part of the archive is gone', () => {
    const member = file('photo', 'photo', { in: 'a.7z', member: 'photo' })
    const container = file('a.7z', 'archive', { method: '7z-files' })
    const cut = [1, 2].map((at) =>
      line(
        { ...part(`a.7z.00${at}`, 'x', 'a.7z', 'archive', at), method: '7z-files' } as PlanEntry,
        at,
        1,
        2,
      ),
    )
    const whole = [line(member, 1, 1, 2), line(container, 1, 1, 2)]
    expect(onNew(grown(whole, [file('photo', 'photo')]))).toEqual([''])
    expect(onNew(grown([line(member, 1, 1, 2), ...cut], [file('photo', 'photo')]))).toEqual([''])
    expect(onNew(grown([line(member, 1, 1, 2), ...cut], [file('photo', 'photo')], ['V_12']))).toEqual([
      '',
      'photo',
    ])
    // The archives themselves are no files that the source had.
    const { growth } = grown(whole, [file('photo', 'photo')])
    expect(growth).toMatchObject({ deleted: { files: 0 }, unchanged: { files: 1 } })
  })
})
