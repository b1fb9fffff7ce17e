import { resolve } from 'node:path'
import { PRESET_NAMES, PRESETS, type PresetName } from '../../domain/survey/rules/presets'
import { NO_RULES, type Rules, rulesSchema } from '../../domain/survey/rules/rules'
import { patternsOfFile } from '../../engine/survey/rules/ruleFile'
import { AppError } from '../../primitives/appError'
import { checked, type OptionToken, optionalSize } from '../arguments'

interface RuleValues {
  readonly 'exclude-preset'?: string[] | undefined
  readonly 'exclude-caches': boolean
  readonly 'exclude-larger-than'?: string | undefined
  readonly 'one-file-system': boolean
  readonly 'no-ignore-files': boolean
}

/** The options that add patterns, in whose order they count. */
const PATTERN_OPTIONS: ReadonlySet<string> = new Set(['exclude', 'include', 'exclude-from'])
const OTHER_OPTIONS: ReadonlySet<string> = new Set([
  'exclude-preset',
  'exclude-caches',
  'exclude-larger-than',
  'one-file-system',
  'no-ignore-files',
])

/**
 * The rules of a command line, those of files included, after those of a project.
 * @throws AppError `usage` or `bad-input` in one line
 */
export async function rulesOf(
  tokens: readonly OptionToken[],
  values: RuleValues,
  own: Rules = NO_RULES,
): Promise<Rules> {
  const patterns = [...own.patterns]
  for (const token of tokens) {
    if (token.kind !== 'option' || !PATTERN_OPTIONS.has(token.name)) continue
    const { name, value = '' } = token
    if (value === '') throw new AppError('usage', `--${name} is empty`)
    if (name === 'exclude-from') patterns.push(...(await patternsOfFile(resolve(value))))
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
  const rule = tokens.find(
    (token) => token.kind === 'option' && (PATTERN_OPTIONS.has(token.name) || OTHER_OPTIONS.has(token.name)),
  )
  if (rule?.kind !== 'option') return
  throw new AppError(
    'usage',
    `--${rule.name} goes with folders: a survey that is made already (--survey) keeps its own rules`,
  )
}

function presetNamed(text: string): PresetName {
  const name = PRESET_NAMES.find((each) => each === text)
  if (name) return name
  throw new AppError('usage', `no preset "${text}": ${PRESETS.map((each) => each.name).join(', ')}`)
}
