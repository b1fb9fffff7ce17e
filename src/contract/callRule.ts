import type { z } from 'zod'
import type { PathSchema } from '../domain/scalars'
import { AppError } from '../primitives/appError'
import type { JobKind, jobStartedSchema } from './dto/job'

/**
 * The use of a path by a call. `show` reveals it in the file manager, for which either permission
 * is enough.
 */
export type PathUse = 'read' | 'write' | 'show'

/** Paths, by what may be done there. */
export interface Allowance {
  readonly read?: readonly string[]
  readonly write?: readonly string[]
}

/** The names of those parameters that are a path or a list of paths. */
type PathParameter<P extends z.ZodType> = P extends { shape: infer Shape }
  ? { [K in keyof Shape]: IsPath<Shape[K]> extends true ? K : never }[keyof Shape]
  : never

type IsPath<S> = S extends PathSchema ? true : S extends { unwrap(): infer Inner } ? IsPath<Inner> : false

/**
 * The paths that a call may use, declared with the call. It compiles only if it covers every
 * parameter that is a path, and names the kind of job exactly where the answer is a job's ID.
 */
export type RuleOf<P extends z.ZodType, R extends z.ZodType> = {
  readonly paths: [PathParameter<P>] extends [never]
    ? Readonly<Record<string, never>>
    : { readonly [K in PathParameter<P>]: PathUse | ((params: z.output<P>) => PathUse) }
  /**
   * Paths of the answer that may be used from then on: a person handed them over on an earlier day.
   */
  readonly allows?: (answer: z.output<R>) => Allowance
  /** Arguments heavier than this are refused unread; absent: the door's own limit. */
  readonly mostArgumentBytes?: number
} & (R extends typeof jobStartedSchema ? { readonly starts: JobKind } : { readonly starts?: never })

/** A rule of any call. */
export interface CallRule {
  readonly paths: Readonly<Record<string, PathUse | ((params: never) => PathUse)>>
  readonly allows?: (answer: never) => Allowance
  readonly mostArgumentBytes?: number
  readonly starts?: JobKind
}

/** The rule of a call that names no path and starts no job. */
export const noPaths = { paths: {} } as const

/**
 * The paths in a call's parameters and what the call does at each, in the order of the rule.
 * @param params validated ones
 * @throws AppError `refused` for a call without a rule, `internal` for a rule about anything that
 *   is not a path
 */
export function pathsUsed(rule: CallRule | undefined, params: unknown): { use: PathUse; path: string }[] {
  if (!rule) throw new AppError('refused', 'nothing is declared about what it may touch')
  return Object.entries(rule.paths).flatMap(([name, declared]) => {
    const use = typeof declared === 'function' ? declared(params as never) : declared
    return pathsIn((params as Readonly<Record<string, unknown>>)[name]).map((path) => ({ use, path }))
  })
}

function pathsIn(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(pathsIn)
  throw new AppError('internal', 'a rule covers a parameter that is not a path')
}
