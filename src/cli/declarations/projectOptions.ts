import type { OptionTable } from './declaration'

/** For every command that can take what it does from a project file. */
export const PROJECT_OPTIONS = {
  project: {
    type: 'string',
    value: 'FILE',
    text: 'take sources, rules and everything else that no option gives from a project file',
  },
  archive: {
    type: 'string',
    value: 'NAME',
    text: 'the same from an archive of the catalog, by its name or ID; "stowage archives" lists them',
  },
  source: {
    type: 'string',
    multiple: true,
    value: 'NAME=PATH',
    text: 'with --project or --archive: where a source is in this run, such as photos=/mnt/Photos; may be repeated',
  },
} as const satisfies OptionTable
