import { formatBlockSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { isOffered } from '../../forecast/dictionaries'
import { solidWork } from '../cost/codecTimes'
import { type SevenZipArchives, sevenZip } from '../cost/sevenZipVariant'
import { RISKS } from '../recipes/readers'
import type { OptionFamily, Variant } from '../recipes/variant'
import { forecastOf, type SolidRow, tarBytesOf } from '../surveyFigures'

const ORDER_WORDS: Readonly<Record<SolidRow['order'], string>> = {
  path: said`by path`,
  type: said`by type and name`,
  content: said`files that share data next to each other`,
}

/** One solid 7z archive for each dictionary and order that the survey has forecast. */
export const sevenZipSolidFamily: OptionFamily = {
  variants(facts): Variant[] {
    const { survey, machine } = facts
    return survey.solid
      .filter((row) => row.codec === 'lzma2-9' && isOffered(row.dictionaryBytes))
      .map((row) => {
        const archives: SevenZipArchives = {
          dictionaryBytes: row.dictionaryBytes,
          // 7-Zip orders files by itself: in any other order they go into it as one tar.
          ...(row.order === 'content'
            ? { streamBytes: tarBytesOf(survey), files: 1 }
            : { streamBytes: survey.totals.bytes, files: survey.totals.files }),
          packSeconds: solidWork(survey, row.dictionaryBytes, row.order, machine),
        }
        return sevenZip(facts, archives, {
          recipe: { family: 'seven-zip-solid', dictionaryBytes: row.dictionaryBytes, order: row.order },
          title: said`One solid 7z, dictionary ${formatBlockSize(row.dictionaryBytes)}, ${ORDER_WORDS[row.order]}`,
          reduction: 'solid',
          order: row.order,
          storedBytes: forecastOf(row, said`the forecast of a solid archive, from repeats and samples`),
          risks: [RISKS.solid],
        })
      })
  },
}
