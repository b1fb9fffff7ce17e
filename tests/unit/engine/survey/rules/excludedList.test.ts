import { expect, it } from 'vitest'
import { presetPatterns } from '../../../../../src/domain/survey/rules/presets'
import { NO_RULES } from '../../../../../src/domain/survey/rules/rules'
import type { NativeRuleCount } from '../../../../../src/engine/native/addon'
import { excludedList } from '../../../../../src/engine/survey/rules/excludedList'

/** What a pass has left out: files of 10 bytes, all by its first rule, and folders. */
function leftOut(
  names: readonly string[],
  counts: readonly Partial<NativeRuleCount>[],
  folders: readonly { path: string; files: number; bytes: number; rule: number }[] = [],
) {
  const paths = names.map((name) => Buffer.from(name))
  let end = 0
  const batch = {
    count: names.length,
    rootIndex: new Uint32Array(names.length),
    pathBytes: Buffer.concat(paths),
    pathEnds: Uint32Array.from(paths, ({ length }) => (end += length)),
    rule: new Uint32Array(names.length),
    bytes: new Float64Array(names.length).fill(10),
  }
  const usual = {
    line: 0,
    used: true,
    files: 1,
    bytes: 10,
    folders: 0,
    path: null,
    text: '',
    origin: 'given',
  }
  const batches = names.length === 0 ? [] : [batch]
  return {
    takeExcludedFiles: () => batches.shift() ?? null,
    excludedFolders: () => [...folders],
    ruleCounts: () => counts.map((count) => ({ ...usual, ...count }) as NativeRuleCount),
    ruleFaults: () => [],
  }
}

it('files in folders that were left out are counted where the pass counts them', () => {
  const native = () => leftOut(['a'], [{ folders: 1 }], [{ path: '/s/cache', files: 7, bytes: 700, rule: 0 }])
  const counted = excludedList(native(), ['/s'], { counted: true }).excluded()
  expect([counted?.files, counted?.bytes, counted?.folders]).toEqual([8, 710, 1])
  const not = excludedList(native(), ['/s'], { counted: false }).excluded()
  expect([not?.files, not?.bytes, not?.folders]).toEqual([1, 10, 1])
})

it('a rule of a preset names its preset, whatever patterns come before it', () => {
  const rules = { ...NO_RULES, patterns: ['*.tmp', '*.bak'], presets: ['caches', 'trash'] as const }
  const patterns = presetPatterns(rules.presets)
  const counts = [
    ...rules.patterns.map((text) => ({ text, origin: 'given' as const })),
    ...patterns.map(({ pattern }) => ({ text: pattern, origin: 'preset' as const })),
  ]
  const list = excludedList(leftOut([], counts, [{ path: '/s/x', files: 0, bytes: 0, rule: 0 }]), ['/s'], {
    rules: { ...rules, presets: [...rules.presets] },
    counted: false,
  })
  const rows = list.excluded()?.rules ?? []
  expect(rows.map(({ preset, pattern }) => [preset, pattern])).toEqual([
    [undefined, '*.tmp'],
    [undefined, '*.bak'],
    ...patterns.map(({ preset, pattern }) => [preset, pattern]),
  ])
})

it('the paths that are listed are the first in their order, whenever they were met', () => {
  const names = ['z', 'y', 'x', 'w', 'v', 'b', 'c', 'a']
  const list = excludedList(leftOut(names, [{}]), ['/s'], { counted: false, mostListed: 1 })
  expect(list.excluded()).toMatchObject({ files: 8, bytes: 80, paths: [{ path: '/s/a' }] })
})
