/**
 * 97.5 % points of Student's t by degrees of freedom (any statistical table); between them 1/df is
 * interpolated.
 */
const POINTS: readonly (readonly [df: number, t: number])[] = [
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [6, 2.447],
  [8, 2.306],
  [10, 2.228],
  [15, 2.131],
  [20, 2.086],
  [30, 2.042],
  [60, 2.0],
  [120, 1.98],
  [Number.POSITIVE_INFINITY, 1.96],
]

/**
 * How many standard errors a 95 % range reaches to each side. Right within 0.02 from 2 degrees of
 * freedom on; 12.7 below 1.
 */
export function tQuantile(degreesOfFreedom: number): number {
  let [lowDf, lowT] = POINTS[0] as readonly [number, number]
  for (const [df, t] of POINTS) {
    if (degreesOfFreedom <= df) {
      if (df === lowDf) return t
      const share = (1 / lowDf - 1 / Math.max(degreesOfFreedom, lowDf)) / (1 / lowDf - 1 / df)
      return lowT + (t - lowT) * share
    }
    lowDf = df
    lowT = t
  }
  return lowT
}
