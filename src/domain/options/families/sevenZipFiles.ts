import { said } from '../../../primitives/said'
import { streamWork } from '../cost/codecTimes'
import { sevenZip } from '../cost/sevenZipVariant'
import type { OptionFamily } from '../recipes/variant'
import { compressionOf, forecastOf, meanFileBytes, patternedBytes } from '../surveyFigures'

/** The dictionary of -mx9 in 7-Zip 23 and later, on systems of 64 bits. */
const DICTIONARY_BYTES = 256 * 1024 * 1024

/**
 * Folders of one file each make the program's lists so much longer than a solid archive's: 11 MB
 * were seen for 8,000 files.
 */
const LISTS_OF_OWN = 1.9

/** One 7z archive in which every file is packed by itself. */
export const sevenZipFilesFamily: OptionFamily = {
  variants(facts) {
    const { survey, machine } = facts
    const row = compressionOf(survey, 'lzma2-9', null)
    if (!row) return []
    const { files, bytes } = survey.totals
    const newBytes = patternedBytes(survey)
    // The mean length of the file that a byte is in.
    const lengths = survey.sizeHistogram.map((bin) => (bin.files > 0 ? bin.bytes ** 2 / bin.files : 0))
    const window = lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, bytes)
    const stream = { newBytes, zeroBytes: bytes - newBytes, window }
    const archives = {
      dictionaryBytes: DICTIONARY_BYTES,
      streamBytes: survey.largestFileBytes,
      meanStreamBytes: meanFileBytes(survey),
      files: files * LISTS_OF_OWN,
      packSeconds: streamWork(survey, 'lzma2-9', stream, machine),
    }
    return [
      sevenZip(facts, archives, {
        recipe: { family: 'seven-zip-files' },
        title: said`One 7z, every file by itself`,
        reduction: 'compression',
        storedBytes: forecastOf(row, said`the forecast of every file packed by itself, headers included`),
      }),
    ]
  },
}
