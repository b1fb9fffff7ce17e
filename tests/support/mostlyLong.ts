import type { describe, test } from 'vitest'

type Body<T> = (...words: T extends readonly unknown[] ? [...T] : [T]) => void | Promise<void>
interface Api {
  each(cases: unknown[]): (name: string, options: { tags: string[] }, body: Body<unknown>) => void
}

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
  const tests = api as unknown as Api
  return (name, body) => {
    tests.each(quick)(name, { tags: [] }, body as Body<unknown>)
    tests.each(cases.filter((one) => !isQuick(one)))(name, { tags: ['long'] }, body as Body<unknown>)
  }
}
