import { formatBlockSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { streamWork, unpackWork } from '../cost/codecTimes'
import { sum, within } from '../cost/estimateParts'
import { workTime } from '../cost/rates'
import { fetchOf } from '../cost/sevenZipVariant'
import { EVERYWHERE, RISKS, TAR_ZSTD_READERS } from '../recipes/readers'
import type { OptionFamily } from '../recipes/variant'
import { variantOf } from '../recipes/variantDraft'
import { compressionOf, forecastOf, meanFileBytes, newBytes, tarBytesOf } from '../surveyFigures'

const MIB = 1024 * 1024
const ORDERS = {
  path: said`by path`,
  content: said`files that share data next to each other`,
} as const

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
      const stored = forecastOf(row, said`the forecast of one zstd stream, from repeats and samples`)
      const unpacking = unpackWork(tarBytes, 'zstd-19', compressionOf(survey, 'zstd-19-long', null), machine)
      const streaming = workTime('zstd.stream', { byte: tarBytes }, machine)
      const unpackSeconds = sum([unpacking, streaming], unpacking.basis)
      const fresh = row.reuse?.novelBytes ?? newBytes(survey)
      const stream = {
        newBytes: fresh,
        zeroBytes: row.reuse?.quietBytes ?? 0,
        window: Math.min(fresh, window),
      }
      return variantOf({
        recipe: { family: 'tar-zst', windowBytes: window, order },
        title: said`tar.zst, level 19, window ${formatBlockSize(window)}, ${ORDERS[order]}`,
        container: 'tar.zst',
        reduction: 'solid',
        codec,
        dictionaryBytes: window,
        order,
        storedBytes: stored,
        packSeconds: streamWork(survey, codec, stream, machine),
        packRamBytes: within(
          TABLE_BYTES + WINDOW_SHARE * Math.min(window, tarBytes) + OWN_RAM,
          RAM_ERROR,
          'modelled',
          said`the tables of level 19, the window and some buffers`,
        ),
        unpackSeconds,
        useRamBytes: within(UNPACK_RAM + Math.min(window, tarBytes), 0.1, 'modelled', said`the window`),
        ...fetchOf(tarBytes, meanFileBytes(survey), tarBytes, stored, unpackSeconds),
        access: 'extract',
        readers: TAR_ZSTD_READERS,
        makers: EVERYWHERE,
        risks: [RISKS.solid],
        notes: window > 128 * MIB ? [said`Unpacking needs zstd with --long or more --memory.`] : [],
      })
    })
  },
}
