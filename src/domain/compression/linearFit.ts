/**
 * The coefficients b that make sum of weight·(y - b·x)² smallest. A column that adds nothing to those before it gets 0, so
 * columns that depend on each other do no harm.
 * @param rows each as long as the first
 */
export function linearFit(
  rows: readonly (readonly number[])[],
  values: readonly number[],
  weights: readonly number[],
): number[] {
  const columns = rows[0]?.length ?? 0
  const matrix = Array.from({ length: columns }, () => Array.from({ length: columns + 1 }, () => 0))
  rows.forEach((row, index) => {
    const weight = weights[index] as number
    for (let a = 0; a < columns; a++) {
      const line = matrix[a] as number[]
      const scaled = weight * (row[a] as number)
      for (let b = 0; b < columns; b++) line[b] = (line[b] as number) + scaled * (row[b] as number)
      line[columns] = (line[columns] as number) + scaled * (values[index] as number)
    }
  })
  return solveWithoutDependents(matrix)
}

/** Below this share of its own size a pivot is rounding noise: the column depends on those before it. */
const DEPENDENT = 1e-9

/** Gauss-Jordan elimination of a symmetric, positive semidefinite system with its right side as last column. */
function solveWithoutDependents(matrix: number[][]): number[] {
  const size = matrix.length
  const original = matrix.map((row, index) => row[index] as number)
  const kept: number[] = []
  for (let pivot = 0; pivot < size; pivot++) {
    const line = matrix[pivot] as number[]
    const top = line[pivot] as number
    if (!(top > DEPENDENT * (original[pivot] as number))) continue
    kept.push(pivot)
    for (let other = 0; other < size; other++) {
      if (other === pivot) continue
      const row = matrix[other] as number[]
      const factor = (row[pivot] as number) / top
      if (factor === 0) continue
      for (let column = pivot; column <= size; column++) {
        row[column] = (row[column] as number) - factor * (line[column] as number)
      }
    }
  }
  return matrix.map((row, index) =>
    kept.includes(index) ? (row[size] as number) / (row[index] as number) : 0,
  )
}
