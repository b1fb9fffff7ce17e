import type { AppErrorCode } from './appError'

/**
 * Exit codes of the command line. They are part of the interface: new ones may be added, none
 * changes meaning.
 */
export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  doneWithSkips: 3,
  cannotFit: 4,
  toolMissing: 5,
  verificationFailed: 6,
  /**
   * Nothing matched, the source changed since it was surveyed, or what was asked for is refused.
   */
  notDone: 7,
  cancelled: 130,
  /**
   * Nobody reads the output of a pipe any more: what a shell gives for a program that SIGPIPE
   * ended.
   */
  readerGone: 141,
} as const

const BY_CODE: Readonly<Record<AppErrorCode, number>> = {
  internal: EXIT.internal,
  interrupted: EXIT.internal,
  io: EXIT.internal,
  'tool-failed': EXIT.internal,
  'catalog-broken': EXIT.internal,
  'engine-lost': EXIT.internal,
  usage: EXIT.usage,
  'not-found': EXIT.usage,
  'permission-denied': EXIT.usage,
  'not-a-folder': EXIT.usage,
  'special-file': EXIT.usage,
  'symlink-loop': EXIT.usage,
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
  changed: EXIT.notDone,
  vanished: EXIT.notDone,
  refused: EXIT.notDone,
  'only-in-cloud': EXIT.notDone,
  cancelled: EXIT.cancelled,
}

/** The exit code for a failure. */
export function exitCodeOf(code: AppErrorCode): number {
  return BY_CODE[code]
}
