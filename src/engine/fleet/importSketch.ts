import { open } from 'node:fs/promises'
import type { SurveyDocument } from '../../contract/dto/survey'
import { type CompleteNote, FINGERPRINT_FORMAT, FOOTER_KEY } from '../../domain/fingerprints/completeNote'
import { type KeptScheme, keptSchemes, MOST_SHIFT } from '../../domain/fingerprints/schemes'
import { FILES_SCHEME } from '../../domain/fleet/fleetReport'
import { CHUNKERS, type Chunker } from '../../domain/survey/chunkers'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { fsPath, joinPath } from '../files/fileSystem'
import type { PlaceNotes } from '../files/scratch'
import { FILES_COLUMNS, HASH_COLUMNS, partName, ZEROS_COLUMNS } from '../fingerprints/fingerprintTables'
import type { PartColumn, PartRows } from '../fingerprints/parquetPart'
import { withTablesFolder } from '../fingerprints/tablesFolder'
import { tablesWriter } from '../fingerprints/writeTables'
import { mergeSketches } from '../native/sketches'
import { openSketchFile } from '../survey/sketchFile'
import { fileRecords, markRows, type SketchTables, sketchTables } from './sketchTables'

/**
 * Writes what a sketch file keeps of a survey as fingerprints, with the share of each way of
 * cutting that the sketch has. They have no paths, no SHA-256 and no key.
 * @param into the folder of all surveys' fingerprints; it is made if it is not there
 * @returns the folder of the survey's
 * @throws AppError `bad-input` for what is no whole sketch, or keeps too little; `exists` where
 *   fingerprints of the survey are there; `no-space`, `io`
 */
export async function importSketch(notes: PlaceNotes, file: string, into: string): Promise<string> {
  return withTablesFolder(notes, into, async ({ making, temporary, take }) => {
    const sketch = joinPath(temporary, 'sketch')
    const document = await openSketchFile(file, sketch)
    // Reads all of it, and compares it with its hashes.
    await mergeSketches([{ path: sketch, fileMap: null }])
    await writeTables(making, file, sketch, document)
    return take(`survey=${document.id}`)
  })
}

async function writeTables(
  making: string,
  file: string,
  sketch: string,
  document: SurveyDocument,
): Promise<void> {
  await using handle = await open(fsPath(sketch), 'r')
  const found = await sketchTables(handle)
  const { schemes, contents } = keptOf(found, document, file)
  const about: Pick<CompleteNote, 'format' | 'survey' | 'createdWallMs' | 'hash' | 'key'> = {
    format: FINGERPRINT_FORMAT,
    survey: document.id,
    createdWallMs: document.createdWallMs,
    hash: 'xxh3-128.high',
    key: null,
  }
  const tables = tablesWriter(making, FOOTER_KEY, WHOLE)
  const write = (
    name: string,
    columns: readonly PartColumn[],
    footer: object,
    batches: AsyncIterable<PartRows>,
  ): Promise<void> => tables.part(name, columns, { ...about, ...footer }, batches)
  const records = await fileRecords(handle, found)
  for (const { scheme, level, zeros } of schemes) {
    const { name, table } = scheme
    await write(partName(table, name), HASH_COLUMNS, { table, scheme }, markRows(handle, level))
    if (zeros === null) continue
    const rows = records.flatMap((record) =>
      record.zeros
        .filter((own) => own.level === zeros)
        .map(({ blocks, bytes }) => ({ file: record.file, blocks, bytes })),
    )
    await write(partName('zeros', name), ZEROS_COLUMNS, { table: 'zeros', scheme }, zeroRows(rows))
  }
  const contentsFooter = { table: 'contents', shift: contents.shift }
  await write(partName('contents'), HASH_COLUMNS, contentsFooter, markRows(handle, contents))
  const whole = records.filter(({ isWhole }) => isWhole)
  await write(partName('files'), FILES_COLUMNS, { table: 'files' }, fileRows(whole))
  const { files, bytes, skipped } = document.totals
  await tables.complete(
    (parts): CompleteNote => ({
      schema: 'stowage.fingerprints/1',
      ...about,
      schemes: schemes.map(({ scheme }) => scheme),
      ...(contents.shift > 0 && { contentsShift: contents.shift }),
      paths: false,
      carried: null,
      totals: { files, bytes, skipped },
      parts: [...parts],
    }),
  )
}

/** A sketch is small: nothing is followed or cancelled. */
const WHOLE = { signal: new AbortController().signal, onProgress: () => undefined }

type Level = SketchTables['levels'][number]

interface KeptLevel {
  readonly scheme: CompleteNote['schemes'][number]
  readonly level: Level
  /** The number of its zeros in records; null for chunks. */
  readonly zeros: number | null
}

/** The levels that fingerprints have, with the shares of the sketch: of chunkers the first draw. */
function keptOf(
  { blocksFrom512, profiles, levels }: SketchTables,
  { chunked }: SurveyDocument,
  file: string,
): { schemes: KeptLevel[]; contents: Level } {
  const bad = (because: string): AppError =>
    new AppError('bad-input', said`cannot use ${pathForDisplay(file)}: ${because}`, { path: file })
  const chunkers = chunked.map(({ chunker }) => CHUNKERS.find(({ name }) => name === chunker))
  const known = chunkers.filter((chunker): chunker is Chunker => chunker !== undefined)
  const draws = known.reduce((sum, chunker) => sum + chunker.draws, 0)
  const terms = keptSchemes({ blockSizes: blocksFrom512 ? [512] : [] }, known)
  const blocks = terms.filter(({ table }) => table === 'blocks').length
  if (known.length < chunkers.length || draws !== profiles || blocks + profiles + 1 !== levels.length)
    throw bad(said`its chunkers are not those of this version`)
  let next = 0
  const all = terms.map((term): KeptLevel => {
    const level = levels[next] as Level
    const zeros = term.table === 'blocks' ? next : null
    next += drawsOf(term)
    const { name, table, nominalBytes } = term
    return { scheme: { name, table, nominalBytes, shift: level.shift }, level, zeros }
  })
  const contents = levels.at(-1) as Level
  const shares = [...all.map(({ scheme }) => scheme), { name: FILES_SCHEME, shift: contents.shift }]
  const tooFew = shares.find(({ shift }) => shift > MOST_SHIFT)
  if (tooFew)
    throw bad(
      said`it keeps too small a share of ${tooFew.name}: let a survey of the source keep fingerprints`,
    )
  return { schemes: all, contents }
}

function drawsOf({ cut }: KeptScheme): number {
  return typeof cut === 'number' ? 1 : cut.draws
}

async function* zeroRows(
  rows: readonly { readonly file: number; readonly blocks: bigint; readonly bytes: bigint }[],
): AsyncIterable<PartRows> {
  if (rows.length === 0) return
  yield [
    Int32Array.from(rows, ({ file }) => file),
    BigInt64Array.from(rows, ({ blocks }) => blocks),
    BigInt64Array.from(rows, ({ bytes }) => bytes),
  ]
}

async function* fileRows(
  files: readonly { readonly file: number; readonly bytes: number }[],
): AsyncIterable<PartRows> {
  if (files.length === 0) return
  const none = files.map(() => '')
  yield [
    Int32Array.from(files, ({ file }) => file),
    none,
    BigInt64Array.from(files, ({ bytes }) => BigInt(bytes)),
    new BigInt64Array(files.length),
    none,
  ]
}
