/**
 * Weighted least squares: the coefficients b that make the sum of weight·(y - b·x)² smallest. A
 * column that adds nothing to those before it gets 0, so columns that depend on each other do no
 * harm. What was added is kept as sums, so fits with only the first few columns cost no second
 * look.
 */
export class LeastSquares {
  readonly #columns: number
  /** The normal equations: each row has its right side behind. */
  readonly #sums: Float64Array
  #squares = 0

  constructor(columns: number) {
    this.#columns = columns
    this.#sums = new Float64Array(columns * (columns + 1))
  }

  /** @param x gives each column's value */
  add(x: (column: number) => number, value: number, weight: number): void {
    const columns = this.#columns
    for (let a = 0; a < columns; a++) {
      const scaled = weight * x(a)
      const row = a * (columns + 1)
      for (let b = 0; b < columns; b++) this.#sums[row + b] = (this.#sums[row + b] as number) + scaled * x(b)
      this.#sums[row + columns] = (this.#sums[row + columns] as number) + scaled * value
    }
    this.#squares += weight * value * value
  }

  /**
   * The fit with the first `columns` columns, and the sum of weighted squares that it leaves (to
   * 1e-12 of that of the values).
   */
  fit(columns = this.#columns): { coefficients: number[]; squares: number } {
    const at = (row: number, column: number): number =>
      this.#sums[row * (this.#columns + 1) + column] as number
    const matrix = Array.from({ length: columns }, (_, row) => [
      ...Array.from({ length: columns }, (__, column) => at(row, column)),
      at(row, this.#columns),
    ])
    const coefficients = solveWithoutDependents(matrix)
    // At the minimum the squares that are left are those of the values less b·X'Wy.
    const explained = coefficients.reduce((sum, one, row) => sum + one * at(row, this.#columns), 0)
    const left = this.#squares - explained
    return { coefficients, squares: left > ROUNDING * this.#squares ? left : 0 }
  }
}

const ROUNDING = 1e-12

/**
 * Below this share of its own size a pivot is rounding noise: the column depends on those before
 * it.
 */
const DEPENDENT = 1e-9

/**
 * Gauss-Jordan elimination of a symmetric, positive semidefinite system with its right side as last
 * column.
 */
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
