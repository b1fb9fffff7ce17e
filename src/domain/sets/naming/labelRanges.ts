/**
 * Labels of volumes in words, those that follow one another as a range: `A_01 to A_04`,
 * `A_01, A_02 and B_07`. Each is named once, in the order in which they are given.
 * @param most ranges and single labels that are named; the others are counted
 */
export function labelRanges(labels: Iterable<string>, most = 4): string {
  const ranges: string[][] = []
  for (const label of new Set(labels)) {
    const last = ranges.at(-1)
    if (last && follows(label, last.at(-1) as string)) last.push(label)
    else ranges.push([label])
  }
  // Two labels take no more room than a range of two.
  const parts = ranges.flatMap((range) =>
    range.length > 2 ? [{ text: `${range[0]} to ${range.at(-1)}`, volumes: range.length }] : range.map(alone),
  )
  const rest = parts.slice(most).reduce((sum, { volumes }) => sum + volumes, 0)
  const named = parts.slice(0, most).map(({ text }) => text)
  if (rest > 0) named.push(`${rest} more`)
  const end = named.pop() ?? ''
  return named.length === 0 ? end : `${named.join(', ')} and ${end}`
}

function alone(label: string): { text: string; volumes: number } {
  return { text: label, volumes: 1 }
}

function follows(label: string, before: string): boolean {
  const [, stem = '', number = ''] = /^(.*_)(\d+)$/.exec(label) ?? []
  const [, stemBefore, numberBefore = ''] = /^(.*_)(\d+)$/.exec(before) ?? []
  return stem !== '' && stem === stemBefore && Number(number) === Number(numberBefore) + 1
}
