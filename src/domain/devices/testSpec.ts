/** Sizes as they are; an entry may stand for several files. */
export type ListedSizes = (number | { readonly size: number; readonly count: number })[]

/** Sizes drawn between two limits; `total` is what they add up to. */
export interface DrawnSizes {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly distribution: 'log-uniform' | 'uniform'
  readonly total?: number | undefined
}

/** Sizes as a histogram has them: `[from, to, files]` a bin, `to` not included. */
export interface HistogramSizes {
  readonly survey?: string | undefined
  readonly histogram?: [from: number, to: number, files: number][] | undefined
  readonly count: number
  /** Larger files are written at this size. */
  readonly largest?: number | undefined
}

export type TestSizes = ListedSizes | DrawnSizes | HistogramSizes
export type TestOperation = 'write' | 'read' | 'stream' | 'randomRead' | 'randomWrite'

export interface Test {
  readonly name?: string | undefined
  readonly sizes: TestSizes
  readonly operations: TestOperation[]
  readonly order: 'random' | 'listed'
  readonly repeat: number
  readonly rest: number
  readonly accesses: number
  readonly accessSize: number
}

/** A test specification with every default filled in. The contract's `testSpecSchema` has the meaning of each field. */
export interface TestSpec {
  readonly name: string
  readonly seed: number
  readonly cache: 'uncached' | 'buffered'
  readonly keepCache: boolean
  readonly flush: 'none' | 'each' | 'end'
  readonly preallocate: boolean
  readonly concurrency: number
  readonly requestSize: number
  readonly budget?: number | undefined
  readonly keepFree?: number | undefined
  readonly tests: Test[]
}

export function isListed(sizes: TestSizes): sizes is ListedSizes {
  return Array.isArray(sizes)
}

export function isDrawn(sizes: TestSizes): sizes is DrawnSizes {
  return !isListed(sizes) && 'from' in sizes
}

/** What a test's row is called where its author gave it no name. */
export function nameOfTest(test: Test, index: number): string {
  return test.name ?? `Test ${index + 1}`
}
