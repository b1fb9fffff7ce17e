import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { type SurveyDocument, surveyDocumentSchema } from '../../contract/dto/survey'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import { fileFailure, fsPath } from '../files/fileSystem'
import { replaceFile } from '../files/place'
import { writeNewFile } from '../files/write'
import type { SketchFolder } from './sketchFolder'

/**
 * The first line of a sketch file; then the length of the survey's document in bytes, the document,
 * and the sketch itself.
 */
const MAGIC = 'stowage sketch 1'
/** A file whose head states a longer document is not one of ours. */
const MOST_DOCUMENT_BYTES = 256 * 1024 * 1024

/**
 * Writes a survey's document and sketch to one file, next to its place and then renamed into it.
 * @throws AppError `not-found` without such a survey or without its sketch, `exists` unless
 *   forced, `no-space`, `io`
 */
export async function saveSketchFile(
  catalog: Catalog,
  sketches: SketchFolder,
  surveyId: string,
  file: string,
  force: boolean,
): Promise<void> {
  const document = Buffer.from(JSON.stringify(catalog.survey(surveyId)))
  if (!sketches.has(surveyId)) throw withoutSketch(surveyId)
  await replaceFile(catalog, file, force, async function* () {
    yield `${MAGIC}\n${document.length}\n`
    yield document
    yield* createReadStream(fsPath(sketches.placeOf(surveyId))) as AsyncIterable<Uint8Array>
  })
}

/**
 * Takes a sketch file apart.
 * @param sketchPlace where the sketch is put: a new file
 * @throws AppError `bad-input` for a file of another kind, or why it cannot be read
 */
export async function openSketchFile(file: string, sketchPlace: string): Promise<SurveyDocument> {
  const bad = new AppError('bad-input', said`cannot read ${pathForDisplay(file)}: it is not a sketch file`, {
    path: file,
  })
  try {
    await using handle = await open(fsPath(file), 'r')
    const start = Buffer.alloc(64)
    const { bytesRead } = await handle.read(start, 0, start.length, 0)
    const head = new RegExp(`^${MAGIC}\n(\\d{1,15})\n`).exec(start.toString('latin1', 0, bytesRead))
    const length = Number(head?.[1] ?? Number.POSITIVE_INFINITY)
    if (!head || length > MOST_DOCUMENT_BYTES) throw bad
    const text = Buffer.alloc(length)
    const read = await handle.read(text, 0, length, head[0].length)
    const document = read.bytesRead === length ? surveyDocumentSchema.safeParse(parsed(text)) : null
    if (!document?.success) throw bad
    const sketch = handle.createReadStream({ start: head[0].length + length, autoClose: false })
    await writeNewFile(sketchPlace, sketch, { flush: false })
    return document.data
  } catch (thrown) {
    throw fileFailure(thrown, 'read', file)
  }
}

export function withoutSketch(surveyId: string): AppError {
  return new AppError(
    'not-found',
    said`survey ${surveyId} has no content sketch (only the five newest surveys of a source keep one): survey its sources again, then merge`,
  )
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}
