import { createReadStream, createWriteStream } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { type SurveyDocument, surveyDocumentSchema } from '../../contract/dto/survey'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import type { Catalog } from '../catalog/catalog'
import { fileFailure, fsPath } from '../exporters/fileSystem'
import { newId } from '../newId'
import type { SketchFolder } from './sketchFolder'

/** The first line of a sketch file; then the length of the survey's document in bytes, the document, and the sketch itself. */
const MAGIC = 'stowage sketch 1'
/** A head that says more than this is none. */
const MOST_DOCUMENT_BYTES = 256 * 1024 * 1024

/**
 * Writes a survey's document and sketch to one file, beside its place and then renamed into it.
 * @throws AppError `not-found` without such a survey or without its sketch, `exists` unless forced, `no-space`, `io`
 */
export async function saveSketchFile(
  catalog: Catalog,
  sketches: SketchFolder,
  surveyId: string,
  file: string,
  force: boolean,
): Promise<void> {
  const document = Buffer.from(JSON.stringify(catalog.survey(surveyId)))
  const beside = `${file}.${newId('partial')}`
  if (!sketches.has(surveyId)) throw withoutSketch(surveyId)
  try {
    const out = createWriteStream(fsPath(beside), { flags: 'wx' })
    out.write(`${MAGIC}\n${document.length}\n`)
    out.write(document)
    await pipeline(createReadStream(fsPath(sketches.placeOf(surveyId))), out)
    if (force) await rename(fsPath(beside), fsPath(file))
    // A link refuses to replace what is there, even what came there a moment ago.
    else await link(fsPath(beside), fsPath(file))
  } catch (thrown) {
    const failure = fileFailure(thrown, 'write', file)
    if (failure.code !== 'exists') throw failure
    throw new AppError('exists', `${file} is already there (--force replaces it)`, {
      path: file,
      cause: thrown,
    })
  } finally {
    await rm(fsPath(beside), { force: true })
  }
}

/**
 * Takes a sketch file apart.
 * @param sketchPlace where the sketch is put
 * @throws AppError `bad-input` for a file of another kind, or why it cannot be read
 */
export async function openSketchFile(file: string, sketchPlace: string): Promise<SurveyDocument> {
  const bad = new AppError('bad-input', `not a sketch file: ${pathForDisplay(file)}`, { path: file })
  try {
    const handle = await open(fsPath(file), 'r')
    try {
      const start = Buffer.alloc(64)
      const { bytesRead } = await handle.read(start, 0, start.length, 0)
      const head = new RegExp(`^${MAGIC}\n(\\d{1,15})\n`).exec(start.toString('latin1', 0, bytesRead))
      const length = Number(head?.[1] ?? Number.POSITIVE_INFINITY)
      if (!head || length > MOST_DOCUMENT_BYTES) throw bad
      const text = Buffer.alloc(length)
      const read = await handle.read(text, 0, length, head[0].length)
      const document = read.bytesRead === length ? surveyDocumentSchema.safeParse(parsed(text)) : null
      if (!document?.success) throw bad
      await pipeline(
        handle.createReadStream({ start: head[0].length + length, autoClose: false }),
        createWriteStream(fsPath(sketchPlace)),
      )
      return document.data
    } finally {
      await handle.close()
    }
  } catch (thrown) {
    throw fileFailure(thrown, 'read', file)
  }
}

export function withoutSketch(surveyId: string): AppError {
  return new AppError(
    'not-found',
    `survey ${surveyId} has no sketch of its contents (the five newest surveys of a source keep theirs): ` +
      'survey its sources again, then unite them',
  )
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}
