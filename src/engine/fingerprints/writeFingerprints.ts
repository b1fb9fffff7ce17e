import type { SurveyDocument } from '../../contract/dto/survey'
import { type CompleteNote, FINGERPRINT_FORMAT, FOOTER_KEY } from '../../domain/fingerprints/completeNote'
import type { KeptScheme } from '../../domain/fingerprints/schemes'
import type { Catalog } from '../catalog/catalog'
import type { NumberedFile } from '../catalog/entry'
import { joinPath } from '../files/fileSystem'
import { pausing } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import type { NativeSurvey } from '../native/addon'
import type { ChunkLevel } from '../native/levels'
import type { Fingerprinting } from './fingerprinting'
import {
  FILES_COLUMNS,
  HASH_COLUMNS,
  hashRows,
  partName,
  ZEROS_COLUMNS,
  zerosRows,
} from './fingerprintTables'
import { GROUP_ROWS, type PartColumn, type PartRows } from './parquetPart'
import { tablesWriter } from './writeTables'

/** Rows of files that are a group, and those that are put together without a pause. */
const FILES_AT_ONCE = 100_000
const FILES_BETWEEN_PAUSES = 512

interface Written {
  readonly native: NativeSurvey
  readonly catalog: Pick<Catalog, 'numberedFiles'>
  readonly document: SurveyDocument
  /** Those of read and unchanged files together. */
  readonly chunkLevels: readonly ChunkLevel[]
  /** Null: every file was read. */
  readonly carried: CompleteNote['carried']
  readonly signal: AbortSignal
  /** Takes the bytes of all parts so far. */
  onProgress(bytes: number): void
}

/**
 * Writes all tables of a finished pass and puts them in their place.
 * @throws AppError `no-space`, `io`, `exists`, `cancelled`; then nothing is in its place
 */
export async function writeFingerprints(into: Fingerprinting, from: Written): Promise<void> {
  const { native, document } = from
  const { making, schemes } = into
  const tables = tablesWriter(making, FOOTER_KEY, from)
  const write = (
    name: string,
    columns: readonly PartColumn[],
    footer: object,
    batches: AsyncIterable<PartRows>,
  ): Promise<void> => tables.part(name, columns, { ...about(into, document), ...footer }, batches)
  for (const scheme of schemes) {
    const { name, table, cut } = scheme
    const spread = from.chunkLevels.find(({ chunker }) => chunker === name)
    const footer = { table, scheme: termsOf(scheme), ...(table === 'chunks' && { draws: drawsOf(spread) }) }
    const rows = native.fingerprints({ cut }, GROUP_ROWS)
    await write(partName(table, name), HASH_COLUMNS, footer, hashRows(rows))
    if (table === 'chunks') continue
    const zeros = native.fingerprints({ cut, areZeros: true }, GROUP_ROWS)
    await write(
      partName('zeros', name),
      ZEROS_COLUMNS,
      { table: 'zeros', scheme: termsOf(scheme) },
      zerosRows(zeros),
    )
  }
  const contents = native.fingerprints({ cut: 'files' }, GROUP_ROWS)
  await write(partName('contents'), HASH_COLUMNS, { table: 'contents', shift: 0 }, hashRows(contents))
  await write(partName('files'), FILES_COLUMNS, { table: 'files' }, fileRows(into, from))
  await tables.complete(
    (parts): CompleteNote => ({
      schema: 'stowage.fingerprints/1',
      ...about(into, document),
      schemes: schemes.map(termsOf),
      paths: into.hasPaths,
      carried: from.carried,
      totals: {
        files: document.totals.files,
        bytes: document.totals.bytes,
        skipped: document.totals.skipped,
      },
      parts: [...parts],
    }),
  )
  await into.take(document.id)
}

/** The facts that each part and the note have. */
function about(
  { key }: Fingerprinting,
  { id, createdWallMs }: SurveyDocument,
): Pick<CompleteNote, 'format' | 'survey' | 'createdWallMs' | 'hash' | 'key'> {
  return {
    format: FINGERPRINT_FORMAT,
    survey: id,
    createdWallMs,
    hash: 'xxh3-128.high',
    key: key?.id ?? null,
  }
}

function termsOf({ name, table, nominalBytes, shift }: KeptScheme): CompleteNote['schemes'][number] {
  return { name, table, nominalBytes, shift }
}

/** The unique bytes of each draw of a chunker's boundaries, the first of which the rows are. */
function drawsOf(level: ChunkLevel | undefined): { uniqueBytes: number; exact: boolean }[] {
  if (!level) return []
  return [level, ...level.otherDraws].map(({ uniqueBytes, exact }) => ({ uniqueBytes, exact }))
}

async function* fileRows(
  { key, hasPaths }: Fingerprinting,
  { catalog, document, signal }: Written,
): AsyncIterable<PartRows> {
  const pause = pausing(() => throwIfAborted(signal))
  const pathOf = ({ rootIndex, path }: NumberedFile): string => {
    const root = document.roots[rootIndex] ?? ''
    return path === '' ? root : joinPath(root, path)
  }
  let numbers: number[] = []
  let paths: string[] = []
  let sizes: bigint[] = []
  let times: bigint[] = []
  let digests: string[] = []
  const rows = (): PartRows => [
    Int32Array.from(numbers),
    paths,
    BigInt64Array.from(sizes),
    BigInt64Array.from(times),
    digests,
  ]
  for (const file of catalog.numberedFiles(document.id)) {
    const { fileNumber, bytes, mtimeNs, sha256 } = file
    numbers.push(fileNumber)
    paths.push(hasPaths ? pathOf(file) : '')
    sizes.push(BigInt(bytes))
    times.push(hasPaths ? mtimeNs / 1000n : 0n)
    digests.push(sha256 === null ? '' : (key?.digest(sha256) ?? sha256))
    if (numbers.length % FILES_BETWEEN_PAUSES === 0) await pause()
    if (numbers.length < FILES_AT_ONCE) continue
    yield rows()
    numbers = []
    paths = []
    sizes = []
    times = []
    digests = []
  }
  if (numbers.length > 0) yield rows()
}
