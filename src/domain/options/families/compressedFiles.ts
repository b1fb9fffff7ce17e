import { type Estimate, exact } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import { packWork, unpackWork } from '../cost/codecTimes'
import { estimateOf, scaled, sumTogether } from '../cost/estimateParts'
import { waitTime, workTime } from '../cost/rates'
import type { OptionFacts, SurveyFacts } from '../facts'
import { EVERYWHERE, GZIP_READERS, LZ4_READERS, RISKS, ZSTD_READERS } from '../recipes/readers'
import type { RecipeOf } from '../recipes/recipe'
import type { OptionFamily, Reader, Variant } from '../recipes/variant'
import { variantOf } from '../recipes/variantDraft'
import {
  type CompressionRow,
  compressionOf,
  filesFrom,
  forecastOf,
  meanFileBytes,
  patternedBytes,
} from '../surveyFigures'

const MIB = 1024 * 1024
/** Files that are worked on at once, at most. */
const MOST_LANES = 4

interface Kind {
  readonly codec: RecipeOf<'compressed-files'>['codec']
  readonly title: string
  readonly ending: string
  readonly readers: readonly Reader[]
  /** Memory of one lane whatever it packs, and at most this much more as long as the file is. */
  readonly ramBytes: number
  readonly inputBytes: number
  /**
   * True when its tables grow with the file: eight and four bytes for each byte of it, up to 64 and
   * 16 MiB (clevels.h of zstd).
   */
  readonly tables: boolean
  readonly unpackRamBytes: number
}

/**
 * Memory as seen with gzip 1.12 and Node's zstd on files of 2 KB to 90 MB; a lane's tables are not
 * filled by small files.
 */
const KINDS: readonly Kind[] = [
  ...([6, 9] as const).map((level) => ({
    codec: `gzip-${level}` as const,
    title: said`Every file by gzip -${level}`,
    ending: '.gz',
    readers: GZIP_READERS,
    ramBytes: 2.8 * MIB,
    inputBytes: 0,
    tables: false,
    unpackRamBytes: 3 * MIB,
  })),
  {
    codec: 'zstd-3',
    title: said`Every file by zstd -3`,
    ending: '.zst',
    readers: ZSTD_READERS,
    ramBytes: 4 * MIB,
    inputBytes: 0,
    tables: false,
    unpackRamBytes: 8 * MIB,
  },
  {
    codec: 'zstd-19',
    title: said`Every file by zstd -19`,
    ending: '.zst',
    readers: ZSTD_READERS,
    ramBytes: 2 * MIB,
    inputBytes: 8 * MIB,
    tables: true,
    unpackRamBytes: 12 * MIB,
  },
  {
    codec: 'lz4',
    title: said`Every file by lz4`,
    ending: '.lz4',
    readers: LZ4_READERS,
    ramBytes: 0,
    inputBytes: 0,
    tables: false,
    unpackRamBytes: 16 * MIB,
  },
]
const RAM_ERROR = 0.5
/**
 * The buffers of Stowage's own packing in addition to the codecs': short files are packed whole,
 * eight at once, longer ones as streams, two at once (docs/methods/constants.md).
 */
const OWN_RAM = 8 * MIB
/** As the builder has it. */
const SHORT_BYTES = 128 * 1024
const SHORT_FILE_RAM = 8 * 1024
const MOST_SHORT_RAM = 56 * MIB
const LONG_FILE_RAM = 0.4 * MIB
const MOST_LONG_RAM = 20 * MIB
const LZ4_RAM = 7 * MIB
const LZ4_LONG_RAM = { start: 20 * MIB, share: 0.9, most: 64 * MIB }

function ownRam(codec: string, survey: SurveyFacts): number {
  if (codec.startsWith('gzip')) return 0
  const long = filesFrom(survey, SHORT_BYTES)
  if (codec === 'lz4') {
    const { start, share, most } = LZ4_LONG_RAM
    return LZ4_RAM + (long.files < 1 ? 0 : Math.min(most, start + share * long.bytes))
  }
  const short = Math.min(MOST_SHORT_RAM, Math.max(0, survey.totals.files - long.files) * SHORT_FILE_RAM)
  return OWN_RAM + short + Math.min(MOST_LONG_RAM, long.files * LONG_FILE_RAM)
}

/** Every file compressed by itself, next to the others. */
export const compressedFilesFamily: OptionFamily = {
  variants: (facts) =>
    KINDS.flatMap((kind) => {
      const row = compressionOf(facts.survey, kind.codec, null)
      return row ? [variant(facts, kind, row)].flatMap((one) => one ?? []) : []
    }),
}

function variant(facts: OptionFacts, kind: Kind, row: CompressionRow): Variant | null {
  const { survey, machine } = facts
  const { files, folders, bytes, hardLinks } = survey.totals
  const packing = packWork(patternedBytes(survey), kind.codec, null, facts, said`every file`)
  if (!packing) return null
  const byTool = kind.codec.startsWith('gzip')
  const handling = workTime(byTool ? 'gzip.files' : 'own.files', { file: files, byte: bytes }, machine)
  const unpacking = unpackWork(bytes, kind.codec, row, machine)
  const stored = forecastOf(
    row,
    said`the forecast of every file compressed by itself, with what its container adds`,
  )
  const lanes = Math.min(MOST_LANES, machine.cores, Math.max(1, files))
  const share = files > 0 ? 1 / files : 0
  const basis = said`${packing.basis}, and the handling of files`
  return variantOf({
    recipe: { family: 'compressed-files', codec: kind.codec },
    title: kind.title,
    container: 'compressed-files',
    reduction: 'compression',
    codec: kind.codec,
    storedBytes: stored,
    storedFiles: exact(files, said`the files, counted`),
    fileRatio: bytes > 0 ? stored.value / bytes : 1,
    largestPieceBytes: survey.largestFileBytes,
    packSeconds: sumTogether([packing, handling], basis),
    packThreads: lanes,
    waitSeconds: waitTime(byTool ? 'gzip' : 'own', { file: files, folder: folders }),
    packRamBytes: laneRam(kind, survey, lanes),
    unpackSeconds: sumTogether([unpacking, handling], said`${unpacking.basis}, and the handling of files`),
    unpackThreads: lanes,
    useRamBytes: estimateOf(
      { value: kind.unpackRamBytes, low: MIB, high: kind.unpackRamBytes * 1.5 },
      'modelled',
      said`the window and buffers`,
    ),
    fetchBytes: scaled(stored, share, said`a file of mean size, compressed`),
    fetchSeconds: unpackWork(meanFileBytes(survey), kind.codec, row, machine),
    access: 'extract',
    readers: kind.readers,
    makers: EVERYWHERE,
    risks: files > 100_000 ? [RISKS.manyFiles] : [],
    notes: [
      said`Names end in ${kind.ending}.`,
      ...(hardLinks > 0 ? [said`Hard links become separate files or are left out.`] : []),
    ],
  })
}

function laneRam(kind: Kind, survey: SurveyFacts, lanes: number): Estimate {
  const largestFile = survey.largestFileBytes
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, largestFile)))
  const tables = kind.tables ? Math.min(64 * MIB, 8 * length) + Math.min(16 * MIB, 4 * length) : 0
  const one = kind.ramBytes + tables + Math.min(kind.inputBytes, largestFile)
  const own = ownRam(kind.codec, survey)
  return estimateOf(
    {
      value: one * lanes + own,
      low: (one + own / 2) * (1 - RAM_ERROR),
      high: (one * lanes + own) * (1 + RAM_ERROR),
    },
    'modelled',
    lanes > 1 ? said`${lanes} files at once` : said`one file at a time`,
  )
}
