import type { Excluded, PresetName, RuleCount, Rules } from '../../../../src/contract/dto/survey'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { t } from '../../copy'

/** A rule as a person set it, with all that it left out: the patterns of a preset are one. */
export interface RuleGroup {
  readonly key: string
  readonly from: RuleCount['from']
  readonly preset: PresetName | undefined
  /** Its name. */
  readonly text: string
  readonly files: number
  readonly bytes: number
  readonly folders: number
  /** False where the content of its folders is not in `files` and `bytes`. */
  readonly isCounted: boolean
}

/** The rules that left something out, in the order in which they are asked. */
export function ruleGroups({ rules, counted }: Pick<Excluded, 'rules' | 'counted'>): RuleGroup[] {
  const groups = new Map<string, RuleGroup>()
  for (const rule of rules) {
    const key = `${rule.from} ${rule.preset ?? rule.pattern ?? ''} ${rule.path ?? ''}`
    const was = groups.get(key)
    groups.set(key, {
      key,
      from: rule.from,
      preset: rule.preset,
      text: rule.preset === undefined ? sayRule(rule) : t(`rules.preset.${rule.preset}`),
      files: (was?.files ?? 0) + rule.files + (rule.folderFiles ?? 0),
      bytes: (was?.bytes ?? 0) + rule.bytes + (rule.folderBytes ?? 0),
      folders: (was?.folders ?? 0) + rule.folders,
      isCounted: counted || ((was?.isCounted ?? true) && rule.folders === 0),
    })
  }
  return [...groups.values()]
}

/** A rule in the words of the window. */
export function sayRule({ from, preset, pattern = '', path = '' }: RuleCount): string {
  const shown = pathForDisplay(pattern)
  switch (from) {
    case 'given':
      return shown
    case 'file':
      return t('rules.text.file', { pattern: shown, path: pathForDisplay(path) })
    case 'preset':
      return preset === undefined ? shown : t(`rules.preset.${preset}`)
    case 'caches':
    case 'size':
    case 'fileSystem':
      return t(`rules.text.${from}`)
  }
}

/** How many rules a person has set. */
export function countOf({ patterns, presets, caches, largerThanBytes, oneFileSystem }: Rules): number {
  const others = [caches, largerThanBytes !== null, oneFileSystem].filter(Boolean)
  return patterns.length + presets.length + others.length
}

/** The effect of a rule in a walk; null where the walk did not ask it. */
export type Effect = RuleGroup | 'none' | 'keeps' | 'keepsNone' | null

/** The effect of a pattern in a walk with these rules. */
export function effectOf(pattern: string, walked: Rules, excluded: Excluded | null): Effect {
  if (!walked.patterns.includes(pattern)) return null
  const group =
    excluded && ruleGroups(excluded).find(({ from, key }) => from === 'given' && key === `given ${pattern} `)
  if (group) return group
  const keeps = pattern.startsWith('!')
  if (!keeps) return 'none'
  return excluded?.unused.includes(pattern) ? 'keepsNone' : 'keeps'
}
