/**
 * Work that yields after about a millisecond at most, so that whoever runs it can do something else
 * in between; returns its result.
 */
export type Stepwise<T> = Generator<void, T>

/** Items that are sorted or merged at once. */
const RUN = 1024

/** Sorts a copy of the items: stable, and in steps. */
export function* sortedStepwise<T>(items: readonly T[], order: (one: T, other: T) => number): Stepwise<T[]> {
  let runs: T[][] = []
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).toSorted(order))
    yield
  }
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? [], order))
    runs = longer
  }
  return runs[0] ?? []
}

function* merged<T>(
  one: readonly T[],
  other: readonly T[],
  order: (one: T, other: T) => number,
): Stepwise<T[]> {
  const all: T[] = []
  let at = 0
  for (const item of other) {
    for (; at < one.length && order(one[at] as T, item) <= 0; at++) {
      all.push(one[at] as T)
      if (all.length % RUN === 0) yield
    }
    all.push(item)
    if (all.length % RUN === 0) yield
  }
  for (; at < one.length; at++) {
    all.push(one[at] as T)
    if (all.length % RUN === 0) yield
  }
  return all
}
