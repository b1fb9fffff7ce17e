import type { Estimate } from '../../../primitives/estimate'
import { formatBlockSize } from '../../../primitives/quantity'
import { EVERYWHERE, RISKS, TAR_ZSTD_READERS } from '../choice/readers'
import { unpackWork } from '../cost/codecWork'
import { sum, within } from '../cost/estimateParts'
import { atPace } from '../cost/machinePace'
import { newBytes } from '../cost/newBytes'
import { fetchOf } from '../cost/sevenZipVariant'
import type { MachineFacts, SurveyFacts } from '../facts'
import type { OptionFamily } from '../recipes/variant'
import { variantOf } from '../recipes/variantDraft'
import {
  compressionOf,
  forecastOf,
  meanFileBytes,
  type SolidRow,
  streamSecondsOf,
  tarBytesOf,
} from '../surveyFigures'

const MIB = 1024 * 1024
const ORDERS = {
  path: 'by path',
  content: 'files that share data next to each other',
} as const

/**
 * The CPU time of zstd 1.5 at level 19 for each new byte, for each byte that repeats within the
 * window, and for each file's header. It grows with the new bytes in the window, and depends little
 * on the source: the rate on short streams has a quarter of the weight (docs/methods/constants.md).
 */
const NOVEL_SECONDS = 0.5e-6
const NOVEL_BYTES = 16 * MIB
const DOUBLING_SECONDS = 0.06e-6
const LEAST_NOVEL_SECONDS = 0.25e-6
const REPEAT_SECONDS = 0.03e-6
const FILE_SECONDS = 0.7e-3
/** The time of the survey's short streams on the six sets of the fit. */
const STREAM_SECONDS = 0.32e-6
const STREAM_SAY = 0.25
/**
 * The error of the time, as a share: 14 % in the median of six sets, 30 % at most; zstd's own
 * program took 0.6 of it once.
 */
const TIME_ERROR = 0.45

/**
 * The time of unpacking a stream with a window, in addition to the rate on samples of 128 KiB: 1 to
 * 2 ns a byte on five sets.
 */
const STREAM_BYTE_SECONDS = 1.5e-9

/**
 * Memory of one thread: the tables of level 19 and zstd's other buffers, the window with its
 * overlap, and Stowage's own buffers (docs/methods/constants.md).
 */
const TABLE_BYTES = 84 * MIB
const WINDOW_SHARE = 1.06
const OWN_RAM = 36 * MIB
const RAM_ERROR = 0.2
const UNPACK_RAM = 4 * MIB

/** A tar, compressed as one stream by zstd at its best with a long window. */
export const tarZstFamily: OptionFamily = {
  variants({ survey, machine }) {
    const tarBytes = tarBytesOf(survey)
    return survey.solid.flatMap((row) => {
      const { codec, order, dictionaryBytes: window } = row
      if (codec !== 'zstd-19-long' || order === 'type') return []
      const stored = forecastOf(row, 'the forecast of one zstd stream, from repeats and samples')
      const unpacking = unpackWork(tarBytes, 'zstd-19', compressionOf(survey, 'zstd-19-long', null))
      const streaming = within(tarBytes * STREAM_BYTE_SECONDS, 0.4, 'assumed', 'a stream in pieces')
      const unpackSeconds = sum([unpacking, atPace(streaming, machine)], unpacking.basis)
      return variantOf({
        recipe: { family: 'tar-zst', windowBytes: window, order },
        title: `tar.zst, level 19, window ${formatBlockSize(window)}, ${ORDERS[order]}`,
        container: 'tar.zst',
        reduction: 'solid',
        codec,
        dictionaryBytes: window,
        order,
        storedBytes: stored,
        packSeconds: streamSeconds(survey, row, machine),
        packRamBytes: within(
          TABLE_BYTES + WINDOW_SHARE * Math.min(window, tarBytes) + OWN_RAM,
          RAM_ERROR,
          'modelled',
          'the tables of level 19, the window and some buffers',
        ),
        unpackSeconds,
        useRamBytes: within(UNPACK_RAM + Math.min(window, tarBytes), 0.1, 'modelled', 'the window'),
        ...fetchOf(tarBytes, meanFileBytes(survey), tarBytes, stored, unpackSeconds),
        access: 'extract',
        readers: TAR_ZSTD_READERS,
        makers: EVERYWHERE,
        risks: [RISKS.solid],
        notes: window > 128 * MIB ? ['Unpacking needs zstd with --long or more --memory.'] : [],
      })
    })
  },
}

function streamSeconds(survey: SurveyFacts, row: SolidRow, machine: MachineFacts): Estimate {
  const { bytes, files } = survey.totals
  const novel = row.reuse?.novelBytes ?? newBytes(survey)
  const repeated = Math.max(0, bytes - novel - (row.reuse?.quietBytes ?? 0))
  const seconds = novel * novelSeconds(novel, row) + repeated * REPEAT_SECONDS + files * FILE_SECONDS
  const elsewhere = 'CPU time of zstd -19 on novel and on repeated bytes, measured on another machine'
  const known = atPace(within(seconds, TIME_ERROR, 'assumed', elsewhere), machine)
  const stream = streamSecondsOf(survey, 'zstd-19-long')
  if (stream === null) return known
  const here = (seconds * stream) / STREAM_SECONDS
  const basis = 'CPU time of zstd -19, measured on another machine and on samples of this source'
  return within(known.value ** (1 - STREAM_SAY) * here ** STREAM_SAY, TIME_ERROR, 'modelled', basis)
}

/** The time of one new byte, by the number of new bytes in the window. */
function novelSeconds(novelBytes: number, { dictionaryBytes }: SolidRow): number {
  const held = Math.max(1, Math.min(novelBytes, dictionaryBytes))
  const seconds = NOVEL_SECONDS + DOUBLING_SECONDS * Math.log2(held / NOVEL_BYTES)
  return Math.max(LEAST_NOVEL_SECONDS, seconds)
}
