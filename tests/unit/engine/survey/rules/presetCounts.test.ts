import { describe, expect, it } from 'vitest'
import { PRESET_NAMES } from '../../../../../src/domain/survey/rules/presets'
import type { RuleCount, Rules } from '../../../../../src/domain/survey/rules/rules'
import { presetCounts, unusedPresets } from '../../../../../src/engine/survey/rules/presetCounts'

const rule = (preset: RuleCount['preset'], more: Partial<RuleCount> = {}): RuleCount => ({
  from: 'preset',
  files: 0,
  bytes: 0,
  folders: 0,
  ...(preset && { preset }),
  ...more,
})

describe('the files of presets in a walk', () => {
  it('are those left out of used ones, and those that the others would leave out', () => {
    const used: Pick<Rules, 'presets'> = { presets: ['trash', 'caches'] }
    const trials = unusedPresets(used).map((_, at) => ({ files: at, bytes: 10 * at }))
    const counts = [
      rule('trash', { folders: 1, folderFiles: 3, folderBytes: 30 }),
      rule('trash', { files: 2, bytes: 5 }),
      rule(undefined, { from: 'given', pattern: '*.tmp', files: 9, bytes: 9 }),
    ]
    expect(presetCounts(used, counts, trials)).toEqual([
      { preset: 'litter', files: 0, bytes: 0 },
      { preset: 'trash', files: 5, bytes: 35 },
      { preset: 'caches', files: 0, bytes: 0 },
      { preset: 'dependencies', files: 1, bytes: 10 },
      { preset: 'previews', files: 2, bytes: 20 },
    ])
  })

  it('have every preset once', () => {
    const all = presetCounts(
      { presets: [] },
      [],
      PRESET_NAMES.map(() => ({ files: 0, bytes: 0 })),
    )
    expect(all.map(({ preset }) => preset)).toEqual(PRESET_NAMES)
  })
})
