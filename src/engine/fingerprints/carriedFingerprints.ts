import { isDeepStrictEqual } from 'node:util'
import { parquetMetadataAsync, parquetRead } from 'hyparquet'
import type { CompleteNote } from '../../domain/fingerprints/completeNote'
import type { KeptScheme } from '../../domain/fingerprints/schemes'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { joinPath } from '../files/fileSystem'
import type { NativeSurvey } from '../native/addon'
import type { FingerprintLevel, RawFingerprintRows } from '../native/fingerprints'
import { GONE_FILE } from '../native/sketches'
import { openFingerprints } from './checkFingerprints'
import type { FingerprintKey } from './fingerprintKey'
import { partName } from './fingerprintTables'
import { onPart } from './partFile'

/** The file of a content that more than eight files have. */
const MANY_FILES = -1

/** The fingerprints of the survey that another one builds on. */
export interface CarriedFingerprints {
  readonly note: CompleteNote
  /**
   * Adds the rows of unchanged files to those of the pass, once it has ended. A content of more
   * than eight files stays: which of them are gone is not known.
   * @param fileMap the new number of each file; `GONE_FILE` for what is not unchanged
   */
  carry(native: NativeSurvey, fileMap: Uint32Array): Promise<void>
}

/**
 * Opens and checks the fingerprints of a survey.
 * @param folder of one or many surveys' fingerprints
 * @throws AppError `bad-input` where they are not there, not whole, or have another key or other
 *   shares than `key` and `schemes`
 */
export async function openCarried(
  folder: string,
  surveyId: string,
  { key, schemes }: { readonly key: FingerprintKey | null; readonly schemes: readonly KeptScheme[] },
): Promise<CarriedFingerprints> {
  const shown = pathForDisplay(folder)
  const refusal = (because: string): AppError =>
    new AppError('bad-input', said`cannot carry fingerprints over from ${shown}: ${because}`, {
      path: folder,
    })
  const found = await openFingerprints(folder, surveyId)
  if (!found)
    throw refusal(
      said`it has none of survey ${surveyId}, on which this one builds: read everything again instead`,
    )
  const { note, folder: own } = found
  if (note.key !== (key?.id ?? null)) throw refusal(said`they have another key`)
  const termsOf = (all: readonly { name: string; shift: number }[]): string[] =>
    all.map(({ name, shift }) => `${name} ${shift}`)
  if (!isDeepStrictEqual(termsOf(note.schemes), termsOf(schemes)))
    throw refusal(said`they have other shares or other ways of cutting`)
  return {
    note,
    async carry(native, fileMap) {
      const carryPart = async (name: string, level: FingerprintLevel): Promise<void> => {
        for await (const rows of rowsOf(joinPath(own, name), level.areZeros === true)) {
          const kept = renumbered(rows, fileMap)
          if (kept.file.length > 0) native.addFingerprints(level, kept)
        }
      }
      for (const { table, name, cut } of schemes) {
        await carryPart(partName(table, name), { cut })
        if (table === 'blocks') await carryPart(partName('zeros', name), { cut, areZeros: true })
      }
      await carryPart(partName('contents'), { cut: 'files' })
    },
  }
}

type Rows = Omit<RawFingerprintRows, 'failure'>

/** The rows of a part, a group at a time. */
async function* rowsOf(path: string, areZeros: boolean): AsyncIterable<Rows> {
  yield* onPart(path, async function* (file) {
    const metadata = await parquetMetadataAsync(file)
    let rowStart = 0
    for (const group of metadata.row_groups) {
      const count = Number(group.num_rows)
      const rows: Rows = {
        hash: new BigInt64Array(count),
        bytes: new BigInt64Array(count),
        file: new Int32Array(count),
        count: new Int32Array(count),
      }
      const columns: Readonly<Record<string, BigInt64Array | Int32Array>> = {
        [areZeros ? 'blocks' : 'hash']: rows.hash,
        bytes: rows.bytes,
        file: rows.file,
        count: rows.count,
      }
      const first = rowStart
      await parquetRead({
        file,
        metadata,
        rowStart,
        rowEnd: rowStart + count,
        onChunk({ columnName, columnData, rowStart: from }) {
          const column = columns[columnName] as BigInt64Array | undefined
          column?.set(columnData as BigInt64Array, from - first)
        },
      })
      yield rows
      rowStart += count
    }
  })
}

/** The rows of files that are still there, with their new numbers. */
function renumbered(rows: Rows, fileMap: Uint32Array): Rows {
  const stay: number[] = []
  const file: number[] = []
  for (let at = 0; at < rows.file.length; at++) {
    const old = rows.file[at] as number
    const number = old === MANY_FILES ? MANY_FILES : (fileMap[old] ?? GONE_FILE)
    if (number === GONE_FILE) continue
    stay.push(at)
    file.push(number)
  }
  return {
    hash: BigInt64Array.from(stay, (at) => rows.hash[at] as bigint),
    bytes: BigInt64Array.from(stay, (at) => rows.bytes[at] as bigint),
    file: Int32Array.from(file),
    count: Int32Array.from(stay, (at) => rows.count[at] as number),
  }
}
