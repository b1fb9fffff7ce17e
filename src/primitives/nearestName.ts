/**
 * The known name that a mistyped one is nearest to, or null if none is near: at most a third of its
 * letters differ.
 */
export function nearestName(typed: string, known: readonly string[]): string | null {
  let best: { name: string; steps: number } | null = null
  for (const name of known) {
    const steps = editSteps(typed.toLowerCase(), name.toLowerCase())
    if (best === null || steps < best.steps) best = { name, steps }
  }
  return best !== null && best.steps <= Math.max(1, Math.ceil(best.name.length / 3)) ? best.name : null
}

/**
 * How many letters must be added, left out, replaced or swapped with their neighbour (Damerau's
 * distance, restricted).
 */
export function editSteps(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, k) => k)]
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      let least = Math.min(
        (rows[i - 1]?.[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (rows[i - 1]?.[j - 1] as number) + same,
      )
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        least = Math.min(least, (rows[i - 2]?.[j - 2] as number) + 1)
      }
      row.push(least)
    }
    rows.push(row)
  }
  return rows[from.length]?.[to.length] as number
}
