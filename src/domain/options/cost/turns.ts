import type { Estimate, Span } from '../../../primitives/estimate'
import type { SurveyFacts } from '../facts'
import { estimateOf, scaled, sumTogether } from './estimateParts'

/**
 * A folder is made, and given its mode and times: 0.3 to 0.55 ms were seen (Node 24.21, ext4 on a
 * virtual disk, 600 folders). Where thousands of files were removed within the last minutes ext4
 * takes longer for new ones: the ranges hold that.
 */
const EACH_FOLDER: Span = { value: 0.45e-3, low: 0.05e-3, high: 2e-3 }

const BASIS = 'one file after the other'

/**
 * Time that files and folders wait for one another, in addition to CPU time, which is counted
 * elsewhere.
 * @param eachFile seconds, as `eachFolder`
 */
export function inTurn({ totals }: SurveyFacts, eachFile: Span, eachFolder: Span = EACH_FOLDER): Estimate {
  return sumTogether(
    [
      scaled(estimateOf(eachFile, 'assumed', BASIS), totals.files),
      scaled(estimateOf(eachFolder, 'assumed', BASIS), totals.folders),
    ],
    BASIS,
  )
}
