import type { AppErrorCode } from './appError'

/** Exit codes of the command line. They are part of the interface: new ones may be added, none changes meaning. */
export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  doneWithSkips: 3,
  cannotFit: 4,
  toolMissing: 5,
  verificationFailed: 6,
  cancelled: 130,
} as const

const BY_CODE: Partial<Record<AppErrorCode, number>> = {
  usage: EXIT.usage,
  'not-found': EXIT.usage,
  'permission-denied': EXIT.usage,
  'not-a-folder': EXIT.usage,
  exists: EXIT.usage,
  'bad-input': EXIT.usage,
  'wrong-password': EXIT.usage,
  'catalog-newer': EXIT.usage,
  'nothing-to-do': EXIT.usage,
  'name-unsupported': EXIT.cannotFit,
  'cannot-fit': EXIT.cannotFit,
  'no-space': EXIT.cannotFit,
  'tool-missing': EXIT.toolMissing,
  'verification-failed': EXIT.verificationFailed,
  cancelled: EXIT.cancelled,
}

/** The exit code for a failure; codes without one of their own end with 1. */
export function exitCodeOf(code: AppErrorCode): number {
  return BY_CODE[code] ?? EXIT.internal
}
