import type { ChangedPolicy } from '../../domain/sets/skippedFile'

export const SKIP_CHANGED = {
  'skip-changed': {
    type: 'boolean',
    default: false,
    text: "build a volume without files that changed, vanished or cannot be read; only for Stowage's own images",
  },
} as const

/** @param canAsk whether there is a terminal to ask at */
export function changedPolicy(values: { readonly 'skip-changed': boolean }, canAsk: boolean): ChangedPolicy {
  if (values['skip-changed']) return 'skip'
  return canAsk ? 'ask' : 'fail'
}
