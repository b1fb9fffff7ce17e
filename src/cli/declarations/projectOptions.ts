import type { OptionTable } from './declaration'

/** For every command that can take what it does from a project file. */
export const PROJECT_OPTIONS = {
  project: {
    type: 'string',
    value: 'FILE',
    text: 'take sources, rules and everything else that no option gives from a project file',
  },
  source: {
    type: 'string',
    multiple: true,
    value: 'NAME=PATH',
    text: 'with --project: where a source is in this run, such as photos=/mnt/Photos; may be repeated',
  },
} as const satisfies OptionTable
