import { remember, type Said, saidOf } from './said'

/**
 * The closed list of things that can go wrong in a way a person can act on.
 * Codes are permanent: they are in JSON output, in the catalog and in other people's scripts.
 */
export const APP_ERROR_CODES = [
  'internal',
  'usage',
  'cancelled',
  'interrupted',
  'not-found',
  'permission-denied',
  'not-a-folder',
  'vanished',
  'changed',
  'io',
  'no-space',
  'exists',
  'special-file',
  'symlink-loop',
  'name-unsupported',
  'cannot-fit',
  'nothing-to-do',
  'tool-missing',
  'tool-failed',
  'verification-failed',
  'catalog-newer',
  'catalog-broken',
  'bad-input',
  'engine-lost',
  'refused',
  'wrong-password',
  'only-in-cloud',
] as const

export type AppErrorCode = (typeof APP_ERROR_CODES)[number]

/**
 * The form in which an error crosses a process boundary or is printed as JSON: nothing is lost but
 * identity.
 */
export interface WireError {
  readonly code: AppErrorCode
  readonly message: string
  /** The message as a sentence, where it is one that can be said in another language. */
  readonly said?: Said | undefined
  readonly path?: string | undefined
  readonly stack?: string | undefined
}

/**
 * An expected failure. The message is one plain line that names the object and the cause
 * (`cannot read /a/b: permission denied`). Anything else that is thrown is a bug and is reported as
 * `internal`.
 */
export class AppError extends Error {
  readonly code: AppErrorCode
  readonly path: string | undefined

  constructor(code: AppErrorCode, message: string, options: { path?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.path = options.path
  }

  toWire(): WireError {
    const { code, message, path, stack } = this
    return { code, message, said: saidOf(message), path, stack }
  }

  static fromWire(wire: WireError): AppError {
    if (wire.said) remember(wire.message, wire.said)
    const error = new AppError(wire.code, wire.message, wire.path === undefined ? {} : { path: wire.path })
    if (wire.stack !== undefined) error.stack = wire.stack
    return error
  }

  /**
   * Any thrown value as an AppError; what was not expected becomes `internal` and keeps its stack.
   */
  static from(thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown
    if (thrown instanceof Error) {
      const error = new AppError('internal', thrown.message, { cause: thrown })
      if (thrown.stack !== undefined) error.stack = thrown.stack
      return error
    }
    return new AppError('internal', String(thrown))
  }
}
