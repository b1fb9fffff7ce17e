import { type CommandDeclaration, form, PRINT_CONFIG } from './declaration'
import { PROJECT_OPTIONS } from './projectOptions'
import { NO_DEFAULT_RULES, RULE_OPTIONS } from './ruleOptions'

export const LOOK = form('', 'stowage look <path>... | --project FILE  [options]', {
  medium: {
    type: 'string',
    multiple: true,
    value: 'ID',
    words: 'media',
    text: 'count the discs of this medium (default: the setting medium, and BDXL 100); may be repeated',
  },
  draft: {
    type: 'boolean',
    text: 'instead lay the files out on volumes as they are, from names and sizes: which folder is on which',
  },
  ...PROJECT_OPTIONS,
  ...RULE_OPTIONS,
  ...NO_DEFAULT_RULES,
  ...PRINT_CONFIG,
})

export const LOOK_COMMAND: CommandDeclaration = {
  does: 'Estimates from names, sizes and a small sample what folders hold and what packing saves.',
  forms: [LOOK],
  notes: [
    [
      'a preliminary estimate',
      'reads at most 96 MiB of units, some more around them, and the beginning, middle and end of files of equal size; it is no survey, and no plan is made from it',
    ],
    [
      'only a survey',
      'tells what deduplication in blocks and chunks and what solid archives save, and which files are identical',
    ],
    ['--json', 'prints the estimate (stowage.look/1), or with --draft the volumes (stowage.draft/1)'],
  ],
}
