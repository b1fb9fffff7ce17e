import { PRESET_NAMES, type PresetName } from '../../../domain/survey/rules/presets'
import type { RuleCount, Rules } from '../../../domain/survey/rules/rules'
import type { PresetCount } from '../../../domain/survey/sourceWalk'

/** The presets that these rules do not use, in the order of `PRESETS`. */
export function unusedPresets({ presets }: Pick<Rules, 'presets'>): PresetName[] {
  return PRESET_NAMES.filter((name) => !presets.includes(name))
}

/**
 * Every preset of a walk, in the order of `PRESETS`: what the used ones left out, and what each of
 * the others alone would.
 * @param counts the rules that left something out, with what is in their folders
 * @param trials the figures of `unusedPresets(rules)`, in its order
 */
export function presetCounts(
  rules: Pick<Rules, 'presets'>,
  counts: readonly RuleCount[],
  trials: readonly Omit<PresetCount, 'preset'>[],
): PresetCount[] {
  const unused = unusedPresets(rules)
  return PRESET_NAMES.map((preset) => {
    const tried = trials[unused.indexOf(preset)]
    if (tried) return { preset, files: tried.files, bytes: tried.bytes }
    const sums = { preset, files: 0, bytes: 0 }
    for (const count of counts) {
      if (count.preset !== preset) continue
      sums.files += count.files + (count.folderFiles ?? 0)
      sums.bytes += count.bytes + (count.folderBytes ?? 0)
    }
    return sums
  })
}
