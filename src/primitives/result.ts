import { AppError, type WireError } from './appError'
import type { Said } from './said'

/** The outcome of a call across a process boundary: never an exception, always one of the two. */
export type Result<T> =
  | {
      readonly ok: true
      readonly value: T
      /** The sentences among the value's texts that can be said in another language. */
      readonly said?: Readonly<Record<string, Said>> | undefined
    }
  | { readonly ok: false; readonly error: WireError }

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function fail<T>(thrown: unknown): Result<T> {
  return { ok: false, error: AppError.from(thrown).toWire() }
}

/** The value, or the failure thrown as an AppError. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw AppError.fromWire(result.error)
}
