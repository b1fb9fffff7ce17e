import { DAT_OPTIONS } from './datOptions'
import { type CommandDeclaration, form, PRINT_CONFIG, REPLACE_FILE } from './declaration'
import { PROJECT_OPTIONS } from './projectOptions'
import { NO_DEFAULT_RULES, RULE_OPTIONS } from './ruleOptions'

/** The levels of sampling that can be asked for. */
export const SAMPLE_LEVELS = ['none', 'fast', 'normal', 'thorough'] as const

/** The tables of a survey by their names. */
export const SURVEY_TABLE_NAMES = [
  'blocks',
  'chunks',
  'codecs',
  'together',
  'solid',
  'groups',
  'types',
  'sizes',
  'duplicates',
  'silent',
  'reading',
  'kept',
  'copies',
  'excluded',
  'skipped',
] as const

export const SURVEY = form('', 'stowage survey <path>... | --project FILE | --survey FILE|ID  [options]', {
  samples: {
    type: 'string',
    default: 'normal',
    value: 'LEVEL',
    words: SAMPLE_LEVELS,
    text:
      'how much to sample for forecasts of codecs and solid archives: none, fast, normal ' +
      '(default, about 10 s of CPU time) or thorough (about 90 s)',
  },
  quick: {
    type: 'boolean',
    default: false,
    text: 'count blocks and duplicate files only; forecast neither chunks nor codecs',
  },
  full: {
    type: 'boolean',
    default: false,
    text: 'read every file, also those that are unchanged since an earlier survey',
  },
  sha256: {
    type: 'boolean',
    default: false,
    text: 'compute the SHA-256 of every file in the same pass, which a plan needs (default without --quick)',
  },
  'no-sha256': {
    type: 'boolean',
    default: false,
    text: 'leave it out: the first plan then reads the files again',
  },
  '512': {
    type: 'boolean',
    default: false,
    text: 'means --block-size 512',
    hidden: 'the next version does not take it',
  },
  'block-size': {
    type: 'string',
    multiple: true,
    value: 'SIZE',
    text:
      'count blocks of this size too, from 512 to 16MiB, such as 2352 for raw CD images; may be repeated; ' +
      'reads every file',
  },
  ...DAT_OPTIONS,
  'max-memory': {
    type: 'string',
    value: 'SIZE',
    text: 'memory for the block tables (default: the setting max-memory, 512MiB); a source that needs more gets figures with a range',
  },
  threads: {
    type: 'string',
    value: 'N',
    text: 'threads that read files: auto, or 1 to 64 (default: the setting threads, auto)',
  },
  ...PROJECT_OPTIONS,
  ...RULE_OPTIONS,
  ...NO_DEFAULT_RULES,
  'dry-run': {
    type: 'boolean',
    default: false,
    text: 'list the folders without reading files: what a survey would read, and what rules leave out',
  },
  'list-excluded': {
    type: 'boolean',
    default: false,
    text: 'the same, with every path that is left out, its size and the rule',
  },
  out: { type: 'string', value: 'FILE', text: 'save the survey with its file list, for plan --survey' },
  survey: {
    type: 'string',
    value: 'FILE|ID',
    text: 'show a saved survey or one from the catalog instead of reading the source again',
  },
  table: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    words: SURVEY_TABLE_NAMES,
    text:
      'print one table in full instead: blocks, chunks, codecs, together, solid, groups, types, sizes, ' +
      'duplicates (identical files), silent, reading, kept (what is already on verified volumes), ' +
      'copies (folders that are whole copies of another), excluded or skipped; may be repeated',
  },
  all: { type: 'boolean', default: false, text: 'print every table too' },
  sketch: {
    type: 'string',
    value: 'FILE',
    text: 'save a small summary of the contents, for survey merge on another machine',
  },
  fingerprints: {
    type: 'string',
    value: 'DIR',
    text:
      'leave a fixed share of the hashes of all contents in a folder, as Parquet, for the comparison ' +
      'of any number of sources; reads every file',
  },
  'fingerprint-share': {
    type: 'string',
    value: 'SHARE',
    text: 'at least this share of each way of cutting, such as 1/64, or 1 (default: by size, see docs/methods/fleet.md)',
  },
  'fingerprint-key': {
    type: 'string',
    value: 'FILE',
    text: 'a secret file of 16 bytes or more: without it nobody can tell from fingerprints which contents a source has',
  },
  since: {
    type: 'string',
    value: 'DIR',
    text: 'take the fingerprints of unchanged files from those of the earlier survey in this folder, instead of reading every file',
  },
  'no-paths': {
    type: 'boolean',
    default: false,
    text: 'leave paths and times of files out of the fingerprints',
  },
  'order-list': {
    type: 'string',
    value: 'FILE',
    text:
      'save the file order that makes a solid archive smallest, for tar --null ' +
      '--verbatim-files-from -T FILE',
  },
  ...REPLACE_FILE,
  ...PRINT_CONFIG,
})

export const SURVEY_MERGE = form('merge', 'stowage survey merge <survey ID or sketch file>... [--out FILE]', {
  out: { type: 'string', value: 'FILE', text: 'save the result as JSON' },
  ...REPLACE_FILE,
})

export const SURVEY_FINGERPRINTS = form(
  'fingerprints',
  'stowage survey fingerprints <folder of survey --fingerprints>...',
  {},
)

export const SURVEY_COMMAND: CommandDeclaration = {
  does: 'Reads folders once and shows what they hold and what each way to store them saves.',
  forms: [SURVEY, SURVEY_MERGE, SURVEY_FINGERPRINTS],
  notes: [
    [
      'survey merge',
      'adds up two or more surveys, also from several machines, and shows how much new data each brings',
    ],
    [
      'survey fingerprints',
      'reads fingerprints of one or more surveys, refuses what is unfinished or damaged by its name, and shows which can be compared',
    ],
    [
      'unchanged files',
      'are not read again: a later survey of the same paths takes their figures from the earlier one',
    ],
    [
      'rules',
      'are lines of gitignore(5), relative to each path: of several that match, the last counts; below a folder that is left out nothing can be taken back',
    ],
    [
      '--json',
      'prints the whole survey; with --table kept or --table copies it has the field kept (stowage.kept/1) with the rows of both',
    ],
    [
      "Stowage's own folders",
      'below a path are left out and counted: the data folder and exported plans that the catalog knows there',
    ],
  ],
}
