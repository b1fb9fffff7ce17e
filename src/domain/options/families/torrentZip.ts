import { exact } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { GroupedBy } from '../../survey/surveyDocument'
import { packWork, unpackWork } from '../cost/codecTimes'
import { estimateOf, scaled, sum, sumTogether } from '../cost/estimateParts'
import { workTime } from '../cost/rates'
import type { OptionFacts } from '../facts'
import { EVERYWHERE, RISKS, ZIP_READERS } from '../recipes/readers'
import type { RecipeOf } from '../recipes/recipe'
import type { OptionFamily, Variant } from '../recipes/variant'
import { variantOf } from '../recipes/variantDraft'
import {
  type CompressionRow,
  compressionOf,
  forecastOf,
  type GroupedRow,
  meanFileBytes,
  patternedBytes,
} from '../surveyFigures'
import { groupedRows } from './sevenZipMerged'

type By = RecipeOf<'torrentzip'>['by']

const MIB = 1024 * 1024

const TITLES: Readonly<Record<By, string>> = {
  titles: said`One TorrentZip for each title`,
  dat: said`One TorrentZip for each parent with its clones, by DATs`,
  sets: said`One TorrentZip for each ROM set, by DATs`,
}

/**
 * A zip has 30 and 46 bytes and the name twice for each file, where gzip has 18 and the name once
 * with a zero after it; and 44 bytes of its own (APPNOTE 6.3, RFC 1952).
 */
const FILE_BYTES = 30 + 46 - 18 - 1
const ARCHIVE_BYTES = 44
/** Names in archives are last names, or paths below a folder that an archive's files are all in. */
const NAME_SHARE = 0.5

/**
 * The forecast is of gzip -9, which parts from zlib at that level: zlib made 0.7 % less to 0.1 %
 * more of seven folders of programs, texts and pictures, and 4.1 % less of noise of 6 bits a byte.
 */
const AGAINST_GZIP = { low: 0.955, high: 1.005 }

/** The tables of the stream, the buffers of files and what V8 leaves behind; not measured. */
const RAM = { value: 12 * MIB, low: 2 * MIB, high: 48 * MIB }

/** Archives of titles or ROM sets whose bytes depend on names and contents alone. */
export const torrentZipFamily: OptionFamily = {
  variants(facts) {
    const deflated = compressionOf(facts.survey, 'gzip-9', null)
    if (!deflated) return []
    return groupedRows(facts).flatMap((row) => {
      const { by } = row
      return isZipped(by) ? (variant(facts, row, by, deflated) ?? []) : []
    })
  },
}

function isZipped(by: GroupedBy): by is By {
  return Object.hasOwn(TITLES, by)
}

function variant(facts: OptionFacts, row: GroupedRow, by: By, deflated: CompressionRow): Variant | null {
  const { survey, machine } = facts
  const { files, bytes, hardLinks } = survey.totals
  const packing = packWork(patternedBytes(survey), 'gzip-9', null, facts, said`every file`)
  if (!packing) return null
  const name = survey.pathBytes * NAME_SHARE
  const listBytes = files * (FILE_BYTES + name) + row.archives * ARCHIVE_BYTES
  const lists = estimateOf(
    { value: listBytes, low: files * FILE_BYTES, high: listBytes + files * name },
    'modelled',
    said`headers and names of files`,
  )
  const gzipped = forecastOf(deflated, said`the forecast of every file deflated by itself`)
  const content = estimateOf(
    { value: gzipped.value, low: gzipped.low * AGAINST_GZIP.low, high: gzipped.high * AGAINST_GZIP.high },
    'modelled',
    gzipped.basis,
  )
  const stored = sum([content, lists], said`${content.basis}, with what zips add`)
  const handling = workTime('own.files', { file: files, byte: bytes }, machine)
  const unpacking = unpackWork(bytes, 'gzip-9', deflated, machine)
  return variantOf({
    recipe: { family: 'torrentzip', by },
    title: TITLES[by],
    container: 'torrentzip',
    reduction: 'compression',
    codec: 'gzip-9',
    storedBytes: stored,
    storedFiles: exact(row.archives, said`the groups, counted`),
    largestPieceBytes: row.largestBytes,
    packSeconds: sumTogether([packing, handling], said`${packing.basis}, and the handling of files`),
    packRamBytes: estimateOf(RAM, 'assumed', said`one file at a time`),
    unpackSeconds: sumTogether([unpacking, handling], said`${unpacking.basis}, and the handling of files`),
    unpackThreads: Math.min(machine.cores, row.archives),
    useRamBytes: estimateOf(
      { value: 3 * MIB, low: MIB, high: 5 * MIB },
      'assumed',
      said`the window and buffers`,
    ),
    fetchBytes: scaled(stored, files > 0 ? 1 / files : 0, said`a file of mean size, compressed`),
    fetchSeconds: unpackWork(meanFileBytes(survey), 'gzip-9', deflated, machine),
    access: 'extract',
    readers: ZIP_READERS,
    makers: EVERYWHERE,
    risks: row.archives > 100_000 ? [RISKS.manyFiles] : [],
    notes: [
      said`The same names and contents make the same zip on every machine; times are not in it.`,
      ...(hardLinks > 0 ? [said`Hard links become separate files or are left out.`] : []),
    ],
  })
}
