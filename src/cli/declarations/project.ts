import { optionEncryptionSchema } from '../../domain/options/optionsDocument'
import { GOAL_WORDS, PROJECT_ENDING, SETTABLE_KEYS } from '../../domain/project/project'
import { type CommandDeclaration, form } from './declaration'
import { OPTION_FOR } from './options'
import { PROJECT_OPTIONS } from './projectOptions'
import { RULE_OPTIONS } from './ruleOptions'

export const PROJECT_INIT = form(
  'init',
  `stowage project init NAME${PROJECT_ENDING} [PATH]... [--exclude PATTERN]... [--medium ID] [options]`,
  {
    ...RULE_OPTIONS,
    medium: {
      type: 'string',
      value: 'ID',
      words: 'media',
      text: 'disk or an ID from "stowage media", such as bd-r-25',
    },
    option: {
      type: 'string',
      value: 'ID',
      text: 'pack the files as this option of "stowage options" does, such as 7z-solid-64m-path',
    },
    'option-for': OPTION_FOR,
    encrypt: {
      type: 'string',
      value: 'BITS',
      words: ['none', '128', '256'],
      text: 'encrypt with AES: none, 128 or 256',
    },
    label: {
      type: 'string',
      value: 'PREFIX',
      text: 'label the volumes PREFIX_01, PREFIX_02 and so on (A-Z, 0-9, _)',
    },
    force: { type: 'boolean', default: false, text: 'replace the file if it exists' },
  },
)

const SOURCE = {
  source: {
    ...PROJECT_OPTIONS.source,
    text: 'where a source is on this computer, such as photos=/mnt/Photos; may be repeated',
  },
} as const

export const PROJECT_SHOW = form(
  'show',
  'stowage project show FILE [--source NAME=PATH]... [--plan PATH]...',
  {
    ...SOURCE,
    plan: {
      type: 'string',
      multiple: true,
      value: 'PATH',
      text: 'list a plan too that the catalog does not know: its folder, or an image, disc or folder of one of its volumes; may be repeated',
    },
  },
)
export const PROJECT_CHECK = form('check', 'stowage project check FILE [--source NAME=PATH]...', SOURCE)
const KEYS = Object.fromEntries(SETTABLE_KEYS.map((key) => [key, []]))

export const PROJECT_SET = form(
  'set',
  'stowage project set FILE KEY VALUE...',
  {},
  { ...KEYS, goal: GOAL_WORDS, encryption: optionEncryptionSchema.options, medium: 'media' },
)
export const PROJECT_UNSET = form('unset', 'stowage project unset FILE KEY', {}, KEYS)
export const PROJECT_SCHEMA_FORM = form('schema', 'stowage project schema', {})

export const PROJECT_COMMAND: CommandDeclaration = {
  does: 'Keeps sources, rules, medium and option of one archive in a file, for --project of other commands.',
  forms: [PROJECT_INIT, PROJECT_SHOW, PROJECT_CHECK, PROJECT_SET, PROJECT_UNSET, PROJECT_SCHEMA_FORM],
  notes: [
    ['init', 'writes a project file with comments, which may be edited by hand (YAML)'],
    ['show', 'shows what it holds, whether its sources are there, and its plans with their volumes'],
    ['check', 'lists every problem with line and column; exit code 0 when there is none'],
    [
      'set',
      `changes one value and keeps comments; KEY is ${SETTABLE_KEYS.join(', ')} or sources.NAME; dat takes several values`,
    ],
    ['unset', 'takes a value out of the file again'],
    ['schema', 'prints the JSON Schema of project files, for editors'],
    ['precedence', 'an option of a command comes before the project, the project before the settings'],
    ['paths', 'that are relative start at the folder of the project file'],
  ],
}
