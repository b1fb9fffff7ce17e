import { describe, expect, it } from 'vitest'
import { surveyRequestSchema } from '../../../../src/contract/dto/survey'
import { asDefaultRules, defaultRules, RULE_SETTINGS } from '../../../../src/domain/settings/defaultRules'
import {
  DEFAULT_SETTINGS,
  SETTING_NAMES,
  SETTINGS,
  settingNamed,
  settingsSchema,
  settingValue,
} from '../../../../src/domain/settings/settings'
import { NO_RULES, rulesSchema } from '../../../../src/domain/survey/rules/rules'
import { parseSize } from '../../../../src/primitives/bytes'

describe('the table of settings', () => {
  it('has a default for each that its own schema takes unchanged', () => {
    for (const name of SETTING_NAMES)
      expect(settingValue(name, SETTINGS[name].fallback)).toEqual(SETTINGS[name].fallback)
    expect(settingsSchema.parse(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS)
  })

  it('has the memory of surveys with the default and the least of a survey', () => {
    const { maxMemoryBytes } = surveyRequestSchema.parse({ paths: ['/a'] })
    expect(parseSize(DEFAULT_SETTINGS['max-memory'])).toBe(maxMemoryBytes)
    const takes = (bytes: number): boolean =>
      surveyRequestSchema.safeParse({ paths: ['/a'], maxMemoryBytes: bytes }).success
    const least = 16 * 1024 ** 2
    expect([least, least - 1].map(takes)).toEqual([true, false])
    expect(settingValue('max-memory', least)).toBe(String(least))
    expect(() => settingValue('max-memory', least - 1)).toThrow(/takes 16MiB or more/)
  })
})

describe('the value of a setting', () => {
  it.each([
    ['units', 'binary', 'binary'],
    ['sha256', 'false', false],
    ['sha256', true, true],
    ['max-memory', '1 GiB', '1 GiB'],
    ['max-memory', 536_870_912, '536870912'],
    ['medium', 'custom:700 MB', 'custom:700MB'],
    ['threads', '8', 8],
    ['threads', 'auto', 'auto'],
    ['exclude', '*.tmp, b', ['*.tmp, b']],
    ['exclude-preset', ['trash', 'litter'], ['trash', 'litter']],
    ['exclude-larger-than', 4096, '4096'],
    ['exclude-larger-than', 'none', 'none'],
  ] as const)('of %s may be %j', (name, given, value) => {
    expect(settingValue(name, given)).toEqual(value)
  })

  it.each([
    ['units', 'GB', 'units takes decimal or binary, not "GB"'],
    ['theme', ['dark'], 'theme takes system, light or dark, not ["dark"]'],
    ['sha256', 'yes', 'sha256 takes true or false, not "yes"'],
    ['max-memory', '1MiB', 'max-memory takes 16MiB or more'],
    [
      'max-memory',
      'lots',
      'max-memory takes 16MiB or more: not a size: "lots" (write for example 700MB, 512MiB or 2048)',
    ],
    ['threads', 1.5, 'threads takes auto or 1 to 64, not 1.5'],
    ['exclude', [''], 'exclude takes patterns, each a line of a .gitignore, not [""]'],
    ['exclude-larger-than', -1, /^exclude-larger-than takes none or a size such as 4GB: not a size: "-1"/],
    ['medium', '', 'medium takes disk or an ID from "stowage media", not ""'],
  ] as const)('of %s is not %j: one line says what it takes', (name, given, message) => {
    const words = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(() => settingValue(name, given)).toThrow(
      expect.objectContaining({ code: 'usage', message: words }),
    )
  })

  it('is named after the option that gives it', () => {
    expect(() => settingValue('max-memory', '1k', '--max-memory')).toThrow('--max-memory takes 16MiB or more')
  })
})

it('default rules and rules as settings are each other’s inverse', () => {
  const rules = rulesSchema.parse({
    patterns: ['*.tmp'],
    presets: ['litter'],
    caches: true,
    largerThanBytes: 4_000_000_000,
    ignoreFiles: false,
  })
  expect(defaultRules(asDefaultRules(rules))).toEqual(rules)
  expect(defaultRules(DEFAULT_SETTINGS)).toEqual(NO_RULES)
  expect(RULE_SETTINGS.toSorted()).toEqual(Object.keys(asDefaultRules(rules)).toSorted())
})

it('a mistyped name is answered with the nearest one, any other with all', () => {
  expect(settingNamed('max-memory')).toBe('max-memory')
  expect(() => settingNamed('max-mem')).toThrow('no setting "max-mem": did you mean "max-memory"?')
  expect(() => settingNamed('__proto__')).toThrow(
    `no setting "__proto__": one of ${SETTING_NAMES.join(', ')}`,
  )
})
