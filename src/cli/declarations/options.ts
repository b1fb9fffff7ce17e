import { GOAL_WORDS } from '../../domain/project/project'
import { DAT_OPTIONS } from './datOptions'
import { type CommandDeclaration, form, PRINT_CONFIG, REPLACE_FILE } from './declaration'
import { SET_PASSWORD_OPTIONS } from './passwordOptions'
import { PROJECT_OPTIONS } from './projectOptions'
import { NO_DEFAULT_RULES, RULE_OPTIONS } from './ruleOptions'
import { SAMPLE_LEVELS } from './survey'

const FROM_SURVEY = {
  survey: {
    type: 'string',
    value: 'FILE|ID',
    text: 'use a saved survey or one from the catalog instead of reading the source again',
  },
} as const

export const STORE_AS_IS = {
  type: 'string',
  value: 'TYPES',
  text:
    'do not compress files of these types, such as jpg,mp4; auto: the types that the survey finds not worth ' +
    'compressing',
} as const

export const OPTION_FOR = {
  type: 'string',
  multiple: true,
  value: 'GLOB=OPTION',
  text:
    'pack files by folder: those that the pattern matches, as in --exclude, by an option such as 7z-dat; the ' +
    'first that matches counts, "*=OPTION" is for all that is left; may be repeated',
} as const

const ENCRYPTION = ['none', '128', '256'] as const

/** The tables of `stowage options` by their names. */
export const OPTIONS_TABLE_NAMES = ['candidates', 'reductions', 'goals'] as const

const NO_CALIBRATION = {
  type: 'boolean',
  default: false,
  text: 'has no effect: times are not changed by earlier builds any more',
  hidden: 'the next version does not take it',
} as const

export const OPTIONS = form(
  '',
  'stowage options <path>... | --project FILE | --survey FILE|ID  [--medium ID]... [--goal NAME] [options]',
  {
    ...FROM_SURVEY,
    look: {
      type: 'boolean',
      default: false,
      text:
        'compare from names, sizes and a small sample (see "stowage look") instead of a survey: only plain ' +
        'files and what compresses each file by itself, with wider ranges',
    },
    samples: {
      type: 'string',
      value: 'LEVEL',
      words: SAMPLE_LEVELS,
      text:
        'for the survey of paths: none, fast, normal (default) or thorough; on a terminal Ctrl-C ends sampling ' +
        'early and compares with wider ranges',
    },
    sha256: {
      type: 'boolean',
      default: false,
      text: 'for the survey of paths: compute the SHA-256 of every file too, which a plan needs (default)',
    },
    'no-sha256': {
      type: 'boolean',
      default: false,
      text: 'leave it out: the first plan then reads the files again',
    },
    ...DAT_OPTIONS,
    ...PROJECT_OPTIONS,
    ...RULE_OPTIONS,
    ...NO_DEFAULT_RULES,
    medium: {
      type: 'string',
      multiple: true,
      value: 'ID',
      words: 'media',
      text:
        'target: disk (one volume without a limit) or an ID from "stowage media"; may be repeated ' +
        '(default: the setting medium, else disk)',
    },
    goal: {
      type: 'string',
      value: 'NAME',
      words: GOAL_WORDS,
      text: 'balanced (default), smallest, fastest-build, fastest-restore, anywhere or live',
    },
    weights: {
      type: 'string',
      value: 'LIST',
      text:
        'your own goal instead, such as size=1,restore=0.5: size, build, restore, ram, volumes, ' +
        'readers, each 0 to 1',
    },
    encrypt: {
      type: 'string',
      value: 'BITS',
      words: ENCRYPTION,
      text: 'forecast with encryption: none (default), 128 or 256',
    },
    'store-as-is': STORE_AS_IS,
    'option-for': { ...OPTION_FOR, text: `list this option too: ${OPTION_FOR.text}` },
    protect: { type: 'string', value: 'SHARE', text: 'add recovery data, such as 10%' },
    'max-size': { type: 'string', value: 'SIZE', text: 'at most this much storage' },
    'max-volumes': { type: 'string', value: 'N', text: 'at most this many discs or images' },
    'max-time': {
      type: 'string',
      value: 'TIME',
      text: 'at most this long to build and write together: 30min, 2h, 1d',
    },
    'max-ram': { type: 'string', value: 'SIZE', text: 'at most this much memory, while building and in use' },
    'readable-on': {
      type: 'string',
      value: 'LIST',
      words: ['linux', 'macos', 'windows'],
      text: 'must be readable, unpacked or not, on linux, macos, windows (one or more)',
    },
    'in-place': {
      type: 'boolean',
      default: false,
      text: 'must be usable without unpacking, on the systems of --readable-on or on this one',
    },
    container: { type: 'string', value: 'NAME', text: 'show this container only' },
    'entry-bytes': {
      type: 'string',
      value: 'N',
      text: 'memory for one entry of a deduplication table (default 320)',
      hidden: 'the next version does not take it',
    },
    profile: {
      type: 'string',
      value: 'ID',
      text: 'the measurement of the target disk (default: the newest plausible one)',
    },
    'no-calibration': NO_CALIBRATION,
    all: {
      type: 'boolean',
      default: false,
      text: 'show every option with all figures, and why it is not among the trade-offs',
    },
    table: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      words: OPTIONS_TABLE_NAMES,
      text:
        'print one table instead: candidates (three named options and the command for the first), goals ' +
        '(the best for each) or reductions (size, share, time, MB/s and memory of the table of blocks, ' +
        'for every reduction); may be repeated',
    },
    explain: {
      type: 'string',
      value: 'ID',
      text: 'show everything about one option and the origin of each figure',
    },
    csv: { type: 'string', value: 'FILE', text: 'save all figures as a table' },
    ...REPLACE_FILE,
    ...PRINT_CONFIG,
  },
)

export const OPTIONS_BUILD = form(
  'build',
  'stowage options build <option>|--option-for GLOB=OPTION...  --survey FILE|ID --out PATH [options]',
  {
    ...FROM_SURVEY,
    out: { type: 'string', value: 'PATH', text: 'the file or folder to create' },
    encrypt: {
      type: 'string',
      value: 'BITS',
      words: ENCRYPTION,
      text: 'none, 128 or 256; refused for an option that cannot be encrypted here',
    },
    'store-as-is': STORE_AS_IS,
    'option-for': OPTION_FOR,
    ...SET_PASSWORD_OPTIONS,
    protect: {
      type: 'string',
      value: 'SHARE',
      text: 'recovery data, such as 10%; refused for an option that cannot have it here',
    },
    'no-calibration': NO_CALIBRATION,
    discard: {
      type: 'boolean',
      default: false,
      text: 'remove the result afterwards and keep the measured size and time',
    },
    force: { type: 'boolean', default: false, text: 'replace PATH if it is a file' },
  },
)

export const OPTIONS_COMMAND: CommandDeclaration = {
  does: 'Compares every way to store a source by size, time, memory and software needed.',
  forms: [OPTIONS, OPTIONS_BUILD],
  notes: [
    ['options build', 'creates one option with the real program and compares it with its forecast'],
    [
      'a look first',
      'on a terminal the options of a sample are shown while a long survey reads, and its answer replaces ' +
        'them; not with options that only a survey carries out, --json, --csv or --explain',
    ],
    ['limits', 'an option meets a limit when the upper end of its range does'],
    ['exit code 4', 'no option meets the limits; the nearest one is named, and what it exceeds'],
  ],
}

export const COMPARE = form('', 'stowage compare [--all] [--csv FILE] [--force]', {
  all: { type: 'boolean', default: false, text: 'show every build, memory and run' },
  csv: { type: 'string', value: 'FILE', text: 'save the comparison as a table' },
  ...REPLACE_FILE,
})

export const COMPARE_COMMAND: CommandDeclaration = {
  does: 'Compares forecast and actual size and time of every option that was built here.',
  forms: [COMPARE],
}
