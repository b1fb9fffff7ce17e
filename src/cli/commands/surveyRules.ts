import {
  asDefaultRules,
  defaultRules,
  RULE_SETTINGS,
  type RuleSettings,
} from '../../domain/settings/defaultRules'
import { PRESET_NAMES, type PresetName } from '../../domain/survey/rules/presets'
import { areSameRules, NO_RULES, type Rules, rulesSchema } from '../../domain/survey/rules/rules'
import { patternsOfFile } from '../../engine/survey/rules/ruleFile'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { checked, type OptionToken, optionalSize } from '../arguments'
import type { GivenProject } from '../project'
import type { CommandSettings, UsedSetting } from '../settings'
import { unknownName } from '../unknownName'
import { rulesText } from './rulesText'

interface RuleValues {
  readonly 'exclude-preset'?: string[] | undefined
  readonly 'exclude-caches': boolean
  readonly 'exclude-larger-than'?: string | undefined
  readonly 'one-file-system': boolean
  readonly 'no-ignore-files': boolean
}

/** The options that add patterns, in whose order they count. */
const PATTERN_OPTIONS = ['exclude', 'include', 'exclude-from']

/** The options that give what a setting of the default rules does. */
const OPTIONS_OF: Readonly<Record<keyof RuleSettings, readonly string[]>> = {
  exclude: PATTERN_OPTIONS,
  'exclude-preset': ['exclude-preset'],
  'exclude-caches': ['exclude-caches'],
  'exclude-larger-than': ['exclude-larger-than'],
  'one-file-system': ['one-file-system'],
  'ignore-files': ['no-ignore-files'],
}
const RULE_OPTIONS = Object.values(OPTIONS_OF).flat()
const NO_DEFAULT_RULES = 'no-default-rules'

/** The rules of a command, and where they are from. */
export interface UsedRules {
  readonly rules: Rules
  /** They are those of the settings, and leave something out that no rules would not. */
  readonly areDefault: boolean
  /** The same as settings, for `--print-config`. */
  readonly used: readonly UsedSetting[]
}

/**
 * The rules of a command: those of its options after those of its project, else those of the
 * settings.
 * @throws AppError `usage` or `bad-input` in one line
 */
export async function rulesOf(
  tokens: readonly OptionToken[],
  values: RuleValues & { readonly 'no-default-rules': boolean; readonly survey?: string | undefined },
  settings: CommandSettings,
  project: GivenProject | null,
): Promise<UsedRules> {
  const own = project?.project.rules && project.rules
  if (!own && !values[NO_DEFAULT_RULES] && firstOption(tokens, RULE_OPTIONS) === null) {
    if (values.survey !== undefined) return { rules: NO_RULES, areDefault: false, used: [] }
    const used = RULE_SETTINGS.map((key) => settings.used(key))
    const rules = defaultRules(
      Object.fromEntries(used.map(({ key, value }) => [key, value])) as unknown as RuleSettings,
    )
    return { rules, areDefault: !areSameRules(rules), used }
  }
  const rules = await givenRules(tokens, values, own)
  const asSettings = asDefaultRules(rules)
  const used = RULE_SETTINGS.map((key): UsedSetting => {
    const option = firstOption(tokens, OPTIONS_OF[key])
    const value = asSettings[key]
    if (option !== null) return { key, value, origin: 'option', from: `--${option}` }
    if (project && own) return { key, value, origin: 'project', from: project.file }
    return { key, value, origin: 'default', from: null }
  })
  return { rules, areDefault: false, used }
}

/**
 * The sentence of a summary that names the default rules, so that nobody wonders what was left out;
 * null for other rules.
 */
export function defaultRulesText({ rules, areDefault }: UsedRules): string | null {
  if (!areDefault) return null
  const named = pathForDisplay(rulesText(rules, { withPatterns: false }))
  return `Default rules of the settings: ${named} (--${NO_DEFAULT_RULES} does without them).`
}

/**
 * The rules of a command line, those of files included, after those of a project.
 * @throws AppError `usage` or `bad-input` in one line
 */
export async function givenRules(
  tokens: readonly OptionToken[],
  values: RuleValues,
  own: Rules = NO_RULES,
): Promise<Rules> {
  const patterns = [...own.patterns]
  for (const token of tokens) {
    if (token.kind !== 'option' || !PATTERN_OPTIONS.includes(token.name)) continue
    const { name, value = '' } = token
    if (value === '') throw new AppError('usage', `--${name} is empty`)
    if (name === 'exclude-from') patterns.push(...(await patternsOfFile(absolutePath(value))))
    else patterns.push(name === 'include' ? `!${value}` : value)
  }
  const largest = optionalSize(values['exclude-larger-than'])
  return checked(rulesSchema, {
    patterns,
    presets: [...new Set([...own.presets, ...(values['exclude-preset'] ?? []).map(presetNamed)])],
    ignoreFiles: own.ignoreFiles && !values['no-ignore-files'],
    caches: own.caches || values['exclude-caches'],
    largerThanBytes: largest ?? own.largerThanBytes,
    oneFileSystem: own.oneFileSystem || values['one-file-system'],
  })
}

/** @throws AppError `usage` for rules next to a survey that is made already */
export function refuseRules(tokens: readonly OptionToken[]): void {
  const rule = firstOption(tokens, [...RULE_OPTIONS, NO_DEFAULT_RULES])
  if (rule === null) return
  throw new AppError(
    'usage',
    `--${rule} goes with folders: a survey that is made already (--survey) keeps its own rules`,
  )
}

/** The first of these options on a command line; null for none. */
function firstOption(tokens: readonly OptionToken[], options: readonly string[]): string | null {
  for (const token of tokens) if (token.kind === 'option' && options.includes(token.name)) return token.name
  return null
}

function presetNamed(text: string): PresetName {
  const name = PRESET_NAMES.find((each) => each === text)
  if (name) return name
  throw unknownName('preset', text, PRESET_NAMES)
}
