import type { describe, test } from 'vitest'

type Body<T> = (...words: T extends readonly unknown[] ? [...T] : [T]) => void | Promise<void>
type Each = (cases: unknown[]) => (name: string, options: { tags: string[] }, body: Body<unknown>) => void

/**
 * `api.each(cases)` of a matrix: the cases for which `isQuick` holds are in every run, the others are
 * tagged long.
 */
export function mostlyLong<const T>(
  api: typeof test | typeof describe,
  cases: readonly T[],
  isQuick: (one: T) => boolean,
): (name: string, body: Body<T>) => void {
  const quick = cases.filter(isQuick)
  if (quick.length === 0) throw new Error('no case is quick')
  const each = api.each as unknown as Each
  return (name, body) => {
    each(quick)(name, { tags: [] }, body as Body<unknown>)
    each(cases.filter((one) => !isQuick(one)))(name, { tags: ['long'] }, body as Body<unknown>)
  }
}
