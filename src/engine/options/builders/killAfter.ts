/** What a build had written is thrown away when it is cancelled, so that a program need not be given long to end well. */
export const KILL_AFTER_MS = 100
