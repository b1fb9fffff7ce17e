/** How ranges are written in one language. */
export interface RangeWords {
  readonly range: (first: string, last: string) => string
  /** Volumes that are counted only. */
  readonly more: (count: number) => string
  readonly and: (others: string, last: string) => string
}

const ENGLISH: RangeWords = {
  range: (first, last) => `${first} to ${last}`,
  more: (count) => `${count} more`,
  and: (others, last) => `${others} and ${last}`,
}

const MOST_NAMED = 4

/**
 * Labels of volumes in words, those that follow one another as a range: `A_01 to A_04`,
 * `A_01, A_02 and B_07`. Each is named once, in the order in which they are given;
 * after the first few ranges and single labels, the others are counted.
 */
export function labelRanges(labels: Iterable<string>, words: RangeWords = ENGLISH): string {
  const ranges: string[][] = []
  for (const label of new Set(labels)) {
    const last = ranges.at(-1)
    if (last && follows(label, last.at(-1) as string)) last.push(label)
    else ranges.push([label])
  }
  // Two labels take no more room than a range of two.
  const parts = ranges.flatMap((range) =>
    range.length > 2
      ? [{ text: words.range(range[0] ?? '', range.at(-1) ?? ''), volumes: range.length }]
      : range.map(alone),
  )
  const rest = parts.slice(MOST_NAMED).reduce((sum, { volumes }) => sum + volumes, 0)
  const named = parts.slice(0, MOST_NAMED).map(({ text }) => text)
  if (rest > 0) named.push(words.more(rest))
  const end = named.pop() ?? ''
  return named.length === 0 ? end : words.and(named.join(', '), end)
}

function alone(label: string): { text: string; volumes: number } {
  return { text: label, volumes: 1 }
}

function follows(label: string, before: string): boolean {
  const [, stem = '', number = ''] = /^(.*_)(\d+)$/.exec(label) ?? []
  const [, stemBefore, numberBefore = ''] = /^(.*_)(\d+)$/.exec(before) ?? []
  return stem !== '' && stem === stemBefore && Number(number) === Number(numberBefore) + 1
}
