import type { OptionTable } from './declaration'

/** The DATs by which a source is grouped, for every command that surveys it on the way. */
export const DAT_OPTIONS = {
  dat: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    text:
      'group files by this DAT, each parent with its clones: one 7z for each group is forecast, and plans ' +
      'keep groups on one volume; may be repeated',
  },
} as const satisfies OptionTable
