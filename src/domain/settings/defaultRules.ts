import { parseSize } from '../../primitives/bytes'
import type { Rules } from '../survey/rules/rules'
import type { Settings } from './settings'

/** The settings that make up the default rules; each is named like the option that gives it. */
export const RULE_SETTINGS = [
  'exclude',
  'exclude-preset',
  'exclude-caches',
  'exclude-larger-than',
  'one-file-system',
  'ignore-files',
] as const
export type RuleSettings = Pick<Settings, (typeof RULE_SETTINGS)[number]>

/** The rules of a survey for which nobody gives any. */
export function defaultRules(settings: RuleSettings): Rules {
  const largest = settings['exclude-larger-than']
  return {
    patterns: settings.exclude,
    presets: settings['exclude-preset'],
    ignoreFiles: settings['ignore-files'],
    caches: settings['exclude-caches'],
    largerThanBytes: largest === 'none' ? null : parseSize(largest),
    oneFileSystem: settings['one-file-system'],
  }
}

/** The settings that have these rules as the default. */
export function asDefaultRules(rules: Rules): RuleSettings {
  return {
    exclude: rules.patterns,
    'exclude-preset': rules.presets,
    'exclude-caches': rules.caches,
    'exclude-larger-than': rules.largerThanBytes === null ? 'none' : String(rules.largerThanBytes),
    'one-file-system': rules.oneFileSystem,
    'ignore-files': rules.ignoreFiles,
  }
}
