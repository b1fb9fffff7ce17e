import { PRESET_NAMES, PRESETS } from '../../domain/survey/rules/presets'
import type { OptionTable } from './declaration'

/** The rules for leaving out, for every command that surveys folders. */
export const RULE_OPTIONS = {
  exclude: {
    type: 'string',
    multiple: true,
    value: 'PATTERN',
    text: 'leave out what this line of a .gitignore would, such as "*.tmp" or "/cache/"; may be repeated',
  },
  include: {
    type: 'string',
    multiple: true,
    value: 'PATTERN',
    text: 'take back what an earlier --exclude leaves out, as "!PATTERN" does',
  },
  'exclude-from': {
    type: 'string',
    multiple: true,
    value: 'FILE',
    text: 'patterns from a file in the form of .gitignore; may be repeated',
  },
  'exclude-preset': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    words: PRESET_NAMES,
    text: `leave out a list of patterns: ${PRESETS.map(({ name, what }) => `${name} (${what})`).join('; ')}`,
  },
  'exclude-caches': {
    type: 'boolean',
    default: false,
    text: 'leave out folders that are marked as caches by a CACHEDIR.TAG',
  },
  'exclude-larger-than': { type: 'string', value: 'SIZE', text: 'leave out files larger than this' },
  'one-file-system': {
    type: 'boolean',
    default: false,
    text: 'leave out folders on other file systems than their path',
  },
  'no-ignore-files': {
    type: 'boolean',
    default: false,
    text: 'ignore .stowageignore files, which count in every folder otherwise',
  },
} as const satisfies OptionTable

/** For commands whose rules are those of the settings where nobody gives any. */
export const NO_DEFAULT_RULES = {
  'no-default-rules': {
    type: 'boolean',
    default: false,
    text: 'do without the default rules of the settings, which count where no option and no project has rules',
  },
} as const satisfies OptionTable
