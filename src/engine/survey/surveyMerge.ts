import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SurveyDocument } from '../../contract/dto/survey'
import { SURVEY_MERGE_SCHEMA, type SurveyMerge } from '../../contract/dto/surveyMerge'
import { blockFigures } from '../../domain/survey/blockFigures'
import { heldToBytes, levelFigures } from '../../domain/survey/levelFigures'
import { addedBytes } from '../../domain/survey/unionFigures'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import { withSystemTempFolder } from '../files/scratch'
import { mergeSketches, type NativeUnion } from '../native/sketches'
import { openSketchFile, withoutSketch } from './sketchFile'
import type { SketchFolder } from './sketchFolder'

interface Part {
  readonly document: SurveyDocument
  readonly sketch: string
}

type Cut = SurveyMerge['fixedBlocks'][number] | SurveyMerge['chunked'][number]

/**
 * The union of several surveys, and the bytes that each adds to those before it. Repeats are read
 * from the sketches of their contents: exactly while those hold everything, else with 95 % ranges.
 * @param inputs ids of surveys in the catalog, or sketch files
 * @throws AppError `usage` for fewer than two or one twice, `not-found`, `bad-input` for sketches
 *   that do not fit together
 */
export async function mergeSurveys(
  catalog: Catalog,
  sketches: SketchFolder,
  inputs: readonly string[],
): Promise<SurveyMerge> {
  if (inputs.length < 2) throw new AppError('usage', said`give at least two surveys to merge`)
  return withSystemTempFolder(catalog, 'merge', async (scratch) => {
    const parts: Part[] = []
    for (const [index, input] of inputs.entries()) {
      const part = await partOf(catalog, sketches, input, join(scratch, `${index}.sketch`))
      if (parts.some((other) => other.document.id === part.document.id))
        throw new AppError('usage', said`survey ${part.document.id} is given twice`)
      parts.push(part)
      assertAlike(inputs, parts)
    }
    return united(parts, join(scratch, 'union.sketch'))
  })
}

/** Sketches can only be united when they cut alike. */
function assertAlike(inputs: readonly string[], parts: readonly Part[]): void {
  const cuts = ({ document }: Part): string =>
    [document.fixedBlocks[0]?.blockSize, ...document.chunked.map((row) => row.chunker)].join(' ')
  const [first, other] = [parts[0], parts.at(-1)] as [Part, Part]
  if (cuts(first) === cuts(other)) return
  throw new AppError(
    'bad-input',
    said`cannot merge ${inputs[0]} and ${inputs[parts.length - 1]}: they count different block sizes or chunkers (survey both with or without --quick and --block-size 512)`,
  )
}

async function partOf(catalog: Catalog, sketches: SketchFolder, input: string, place: string): Promise<Part> {
  if (catalog.surveyIds().all.has(input)) {
    if (!sketches.has(input)) throw withoutSketch(input)
    return { document: catalog.survey(input), sketch: sketches.placeOf(input) }
  }
  const file = resolve(input)
  if (!existsSync(file))
    throw new AppError(
      'not-found',
      said`cannot merge ${input}: it is neither a survey in the catalog nor a sketch file`,
    )
  return { document: await openSketchFile(file, place), sketch: place }
}

/** Files that are identical by their sketches, beyond the first of each group. */
function duplicates({ files, unattributedBytes }: NativeUnion): SurveyMerge['duplicateFiles'] {
  const unique = blockFigures({ ...files, blockSize: 0, blocks: files.files, zeroBlocks: 0, zeroBytes: 0 })
  const surplus = (unattributedBytes.at(-1) ?? 0) / files.theta
  return {
    bytes: Math.max(0, files.bytes - unique.uniqueBytes),
    exact: unique.exact && surplus === 0,
    low: Math.max(0, files.bytes - unique.high),
    high: Math.max(0, Math.round(files.bytes - unique.low + surplus)),
  }
}

/**
 * Each survey is united with the union of those before it, so that the time grows with their sum.
 * @param running where that union is kept meanwhile
 */
async function united(parts: readonly Part[], running: string): Promise<SurveyMerge> {
  const surveys: SurveyMerge['surveys'] = []
  let before: readonly Cut[] = []
  let last: NativeUnion | null = null
  for (const [index, { document, sketch }] of parts.entries()) {
    const alone = await unionOf([sketch])
    const out = index + 1 < parts.length ? { out: running } : {}
    const earlier = index === 1 ? (parts[0] as Part).sketch : running
    last = index === 0 ? alone : await unionOf([earlier, sketch], out)
    const [own, after] = [cutsOf(alone), cutsOf(last)]
    const { id, createdWallMs, roots, totals, partial } = document
    surveys.push({
      id,
      createdWallMs,
      roots,
      files: totals.files,
      bytes: totals.bytes,
      partial,
      adds: after.map((figure, at) => ({
        cut: 'chunker' in figure ? figure.chunker : figure.blockSize,
        ...addedBytes(before[at] ?? NOTHING, figure, own[at] ?? figure),
      })),
    })
    before = after
  }
  const whole = last as NativeUnion
  const duplicateFiles = duplicates(whole)
  return {
    schema: SURVEY_MERGE_SCHEMA,
    surveys,
    totals: {
      files: surveys.reduce((sum, survey) => sum + survey.files, 0),
      bytes: surveys.reduce((sum, survey) => sum + survey.bytes, 0),
    },
    duplicateFiles,
    ...heldToBytes(
      levelFigures(whole, duplicateFiles.bytes),
      surveys.reduce((sum, survey) => sum + survey.bytes, 0),
      surveys.some(({ partial }) => partial),
    ),
  }
}

const NOTHING = { uniqueBytes: 0, exact: true, low: 0, high: 0 }

function unionOf(sketches: readonly string[], options: { readonly out?: string } = {}): Promise<NativeUnion> {
  return mergeSketches(
    sketches.map((path) => ({ path, fileMap: null })),
    options,
  )
}

/**
 * Block sizes and chunkers, with the sampling error alone: the variation of chunk boundaries is the
 * same with and without a survey.
 */
function cutsOf(union: NativeUnion): Cut[] {
  const { fixedBlocks, chunked } = levelFigures(union, duplicates(union).bytes)
  const sampled = chunked.map((figure, index) => {
    const level = union.chunkLevels[index]
    if (!level) return figure
    const { low, high } = blockFigures({
      ...level,
      blockSize: 0,
      blocks: level.chunks,
      zeroBlocks: 0,
      zeroBytes: 0,
    })
    return Object.assign({}, figure, { low, high })
  })
  return [...fixedBlocks, ...sampled]
}
