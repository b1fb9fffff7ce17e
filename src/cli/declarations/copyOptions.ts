import type { OptionTable } from './declaration'

/** For commands that write or read one copy of volumes. */
export const COPY_OPTION = {
  copy: {
    type: 'string',
    value: 'N',
    text: 'which copy of the volumes this is: 1 (default), 2 and so on',
  },
} as const satisfies OptionTable
