import {
  type SmallestForecast,
  type SurveyDocument,
  smallestForecast,
} from '../../../../src/contract/dto/survey'
import { formatBlockSize, shortShare } from '../../../../src/primitives/quantity'
import { t } from '../../copy'
import { codecName } from '../../format/permanentNames'

/**
 * `It would be about 31 % smaller: one solid 7z.`; that it stays as large where nothing that was
 * tried makes it noticeably smaller.
 */
export function smallestWords(document: SurveyDocument): string {
  const best = smallestForecast(document)
  if (best === null) return t('survey.notSmaller')
  return t('survey.smaller', {
    share: shortShare(Math.round(100 * (1 - best.bytes / document.totals.bytes)) / 100),
    how: howWords(best),
  })
}

/** The way to the smallest forecast. */
export function howWords(best: SmallestForecast): string {
  switch (best.way) {
    case 'blocks':
      return t('survey.smallest.blocks', { size: formatBlockSize(best.blockSize) })
    case 'chunks':
      return t('survey.smallest.chunks', { chunker: best.chunker })
    case 'solid':
      return best.codec.startsWith('lzma2')
        ? t('survey.smallest.solid7z')
        : t('survey.smallest.solid', { codec: codecName(best.codec) })
    default:
      return t(`survey.smallest.${best.way}`, { codec: codecName(best.codec) })
  }
}
