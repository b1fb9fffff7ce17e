import { ROM_LAYOUTS } from '../../domain/survey/romLayout'
import type { OptionTable } from './declaration'

/** The layout of ROM sets. */
export const LAYOUT_OPTION = {
  type: 'string',
  value: 'LAYOUT',
  words: ROM_LAYOUTS,
  text: 'split, merged or non-merged ROM sets (default: as each DAT asks for, else split)',
} as const

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
  layout: LAYOUT_OPTION,
} as const satisfies OptionTable
