import {
  type SmallestForecast,
  type SurveyDocument,
  smallestForecast,
} from '../../../../src/contract/dto/survey'
import { formatBlockSize, formatSize, sizeWithRange, type Units } from '../../../../src/primitives/quantity'
import { t } from '../../copy'
import { codecName } from '../../format/permanentNames'

/**
 * `Smallest forecast 2.40 MB (2.30–2.60) of 298 MB: one solid 7z.`; null where nothing makes the
 * source noticeably smaller.
 */
export function smallestWords(document: SurveyDocument, units: Units): string | null {
  const best = smallestForecast(document)
  if (best === null) return null
  return t('survey.smallest', {
    size: sizeWithRange(best, units),
    total: formatSize(document.totals.bytes, units),
    how: howWords(best),
  })
}

function howWords(best: SmallestForecast): string {
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
