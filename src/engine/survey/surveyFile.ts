import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { type SurveyDocument, surveyDocumentSchema } from '../../contract/dto/survey'
import { isInside } from '../../domain/sets/naming/volumePaths'
import { AppError } from '../../primitives/appError'
import type { Bytes } from '../../primitives/bytes'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import { ENTRY_KINDS, type NewEntry, type SurveyEntry } from '../catalog/entry'
import { fileFailure, fsPath } from '../files/fileSystem'
import { replaceFile } from '../files/place'

/**
 * A saved survey is one JSON document: the survey's own fields, then `entries`. It is written with
 * the head on the first line and one entry a line, so that millions of entries are written and read
 * without holding them all.
 */
const ENTRY_BATCH = 10_000

const numberText = z
  .string()
  .regex(/^-?\d{1,20}$/)
  .transform((text) => BigInt(text))
const timeText = numberText.refine((ns) => BigInt.asIntN(64, ns) === ns)
const hexBytes = (length: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${2 * length}}$`))
    .nullable()

const entryLineSchema = z.object({
  id: z
    .number()
    .int()
    .nonnegative()
    .max(2 ** 32 - 1),
  kind: z.enum(ENTRY_KINDS),
  root: z.number().int().nonnegative(),
  path: z.string().refine((path) => path === '' || isInside(path)),
  bytes: z.number().int().nonnegative(),
  allocatedBytes: z.number().int().nonnegative(),
  mtimeNs: timeText,
  ctimeNs: timeText,
  device: numberText,
  inode: numberText,
  mode: z.number().int().nonnegative(),
  digest: hexBytes(16),
  sha256: hexBytes(32),
  linkTarget: z.string().nullable(),
})

/**
 * Writes a survey with its entries and skips to a file, next to its place and then renamed into it.
 * @throws AppError `exists` unless forced, `not-found`, `permission-denied`, `no-space`, `io`
 */
export async function saveSurveyFile(
  catalog: Catalog,
  surveyId: string,
  file: string,
  force: boolean,
): Promise<void> {
  const document = { ...catalog.survey(surveyId), skipped: [...catalog.surveySkips(surveyId)] }
  await replaceFile(catalog, file, force, function* () {
    yield `${JSON.stringify(document).slice(0, -1)},"entries":[\n`
    let separator = ''
    for (const entry of catalog.surveyEntries(surveyId)) {
      yield `${separator}${JSON.stringify(entryLine(entry))}`
      separator = ',\n'
    }
    yield '\n]}\n'
  })
}

/**
 * Brings a saved survey into the catalog (once: one that is there already is left alone) and gives
 * its id.
 * @throws AppError `bad-input` naming the line that does not fit, also for a file that was cut
 *   short; or why it cannot be read
 */
export async function openSurveyFile(catalog: Catalog, file: string): Promise<string> {
  const stream = createReadStream(fsPath(file))
  try {
    return await readLines(catalog, file, linesOf(stream))
  } catch (thrown) {
    throw thrown === stream.errored ? fileFailure(thrown, 'read', file) : thrown
  } finally {
    stream.destroy()
  }
}

/**
 * The lines of UTF-8 text, which end at line feeds alone: `readline` also ends them at U+2028,
 * which may be part of a name.
 */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString()
      begun = []
      start = end + 1
    }
    begun.push(chunk.subarray(start))
  }
  yield Buffer.concat(begun).toString()
}

async function readLines(catalog: Catalog, file: string, lines: AsyncIterable<string>): Promise<string> {
  let document: SurveyDocument | null = null
  let writer: ReturnType<Catalog['beginSurvey']> | null = null
  let batch: NewEntry[] = []
  let lineNumber = 0
  let hasEnded = false
  try {
    for await (const line of lines) {
      lineNumber += 1
      if (document === null) {
        document = parseHead(line, file)
        const { all, open } = catalog.surveyIds()
        if (all.has(document.id) && !open.has(document.id)) return document.id
        writer = catalog.beginSurvey(document.id)
        for (const skip of document.skipped) writer.skip(skip)
      } else if (line === ']}') hasEnded = true
      else if (line !== '') {
        batch.push(parseEntry(line, file, lineNumber, document.roots.length))
        if (batch.length === ENTRY_BATCH) {
          writer?.add(batch)
          batch = []
        }
      }
    }
    if (document === null || writer === null) throw unreadable(file, 'it is not a saved survey')
    if (!hasEnded) throw unreadable(file, 'it is cut short: the end of its list of files is missing')
    writer.add(batch)
    if (document.totals.hardLinks > 0) writer.linkNames()
    writer.finish({ ...document, skipped: document.skipped.slice(0, 1000) })
    return document.id
  } catch (thrown) {
    writer?.discard()
    if ((thrown as { code?: unknown }).code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
      throw unreadable(file, 'two of its entries have one ID')
    throw thrown
  }
}

function unreadable(file: string, cause: string): AppError {
  return new AppError('bad-input', said`cannot read ${pathForDisplay(file)}: ${cause}`, { path: file })
}

function parseHead(line: string, file: string): SurveyDocument {
  const problem = unreadable(file, 'it is not a survey saved with its list of files')
  if (!line.endsWith(',"entries":[')) throw problem
  const parsed = surveyDocumentSchema.safeParse(parseJson(`${line}]}`))
  if (!parsed.success) throw problem
  return parsed.data
}

function parseEntry(line: string, file: string, lineNumber: number, roots: number): NewEntry {
  const parsed = entryLineSchema.safeParse(parseJson(line.replace(/,$/, '')))
  if (!parsed.success || parsed.data.root >= roots)
    throw unreadable(file, `line ${lineNumber} is not an entry of a survey`)
  const { root, bytes, allocatedBytes, path, digest, sha256, ...rest } = parsed.data
  return {
    ...rest,
    rootIndex: root,
    path: pathToBytes(path),
    bytes: bytes as Bytes,
    allocatedBytes: allocatedBytes as Bytes,
    digest: digest === null ? null : Buffer.from(digest, 'hex'),
    sha256: sha256 === null ? null : Buffer.from(sha256, 'hex'),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function entryLine(entry: SurveyEntry): z.input<typeof entryLineSchema> {
  return {
    id: entry.id,
    kind: entry.kind,
    root: entry.rootIndex,
    path: entry.path,
    bytes: entry.bytes,
    allocatedBytes: entry.allocatedBytes,
    mtimeNs: entry.mtimeNs.toString(),
    ctimeNs: entry.ctimeNs.toString(),
    device: entry.device.toString(),
    inode: entry.inode.toString(),
    mode: entry.mode,
    digest: entry.digest,
    sha256: entry.sha256,
    linkTarget: entry.linkTarget,
  }
}
