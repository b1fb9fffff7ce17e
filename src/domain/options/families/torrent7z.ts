import type { Estimate } from '../../../primitives/estimate'
import { formatBlockSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { torrent7zDictionary } from '../../forecast/torrent7z'
import { solidWork } from '../cost/codecTimes'
import { product, within } from '../cost/estimateParts'
import { sevenZip } from '../cost/sevenZipVariant'
import { RISKS } from '../recipes/readers'
import type { OptionFamily } from '../recipes/variant'
import { forecastOf, type SolidRow } from '../surveyFigures'

/**
 * fb128 and lc4 against LZMA2's best level with about that dictionary: 0.5 % more was made of 8,000
 * tiny files and of images of disks, 1.5 % less of sources, 0.4 % less of programs.
 */
const SWITCHES_FACTOR = 0.998
const SWITCHES_ERROR = 0.015

/** Bytes of archives by torrent7z's switches, from the forecast of those by LZMA2's best level. */
export function torrent7zBytes(forecast: Estimate): Estimate {
  const { basis } = forecast
  return product(forecast, within(SWITCHES_FACTOR, SWITCHES_ERROR, 'modelled', basis), basis)
}

/** Why torrent7z's own bytes are not had. */
export const TORRENT7Z_NOTE = said`The same files give the same bytes with the same version of 7-Zip. They can differ from torrent7z, which uses an encoder of 2009.`

/** One solid LZMA archive by torrent7z's rules. */
export const torrent7zFamily: OptionFamily = {
  variants(facts) {
    const { survey, machine } = facts
    const dictionaryBytes = torrent7zDictionary({
      files: survey.totals.files,
      bytes: survey.totals.bytes,
      largestBytes: survey.largestFileBytes,
      smallestBytes: survey.sizeHistogram.find((bin) => bin.files > 0)?.fromBytes ?? 0,
    })
    const rows = survey.solid.filter((one) => one.codec === 'lzma2-9' && one.order === 'type')
    const row = nearest(rows, dictionaryBytes)
    if (!row) return []
    const archives = {
      dictionaryBytes,
      streamBytes: survey.totals.bytes,
      files: survey.totals.files,
      packSeconds: solidWork(survey, dictionaryBytes, row.order, machine),
    }
    const basis = said`the forecast of a solid archive with a dictionary of ${formatBlockSize(row.dictionaryBytes)}, by type`
    return [
      sevenZip(facts, archives, {
        recipe: { family: 'torrent7z' },
        title: said`One solid 7z by torrent7z’s rules`,
        reduction: 'solid',
        codec: 'lzma-t7z',
        order: 'type',
        storedBytes: torrent7zBytes(forecastOf(between(row, rows, dictionaryBytes), basis)),
        risks: [RISKS.solid],
        notes: [TORRENT7Z_NOTE],
      }),
    ]
  },
}

function nearest(rows: readonly SolidRow[], dictionaryBytes: number): SolidRow | undefined {
  const distance = (row: SolidRow): number => Math.abs(Math.log2(row.dictionaryBytes / dictionaryBytes))
  return rows.toSorted((one, other) => distance(one) - distance(other))[0]
}

/**
 * Between two dictionaries that were forecast anything between their sizes is possible: a file may
 * repeat just within one.
 */
function between(row: SolidRow, rows: readonly SolidRow[], dictionaryBytes: number): SolidRow {
  const sorted = rows.toSorted((one, other) => one.dictionaryBytes - other.dictionaryBytes)
  const shorter = sorted.findLast((one) => one.dictionaryBytes <= dictionaryBytes) ?? row
  const longer = sorted.find((one) => one.dictionaryBytes >= dictionaryBytes) ?? row
  return { ...row, low: Math.min(row.low, longer.low), high: Math.max(row.high, shorter.high) }
}
