import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import {
  OPTION_BUILD_SCHEMA,
  type OptionBuild,
  type OptionBuildRequest,
  type OptionEncryption,
} from '../../contract/dto/options'
import type { SurveyDocument } from '../../contract/dto/survey'
import { ENCRYPTION_NAMES } from '../../domain/options/choice/demands'
import type { OptionRow } from '../../domain/options/choice/option'
import type { Recipe } from '../../domain/options/recipes/recipe'
import { mayLeaveOut } from '../../domain/survey/rules/rules'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import { holdsOwnFolders } from '../catalog/ownFolders'
import { attempt, cannot, fileFailure, fsPath, joinPath } from '../files/fileSystem'
import { replacePlace } from '../files/place'
import { withTempFolder } from '../files/scratch'
import { folderOf } from '../files/write'
import type { Job, JobContext } from '../jobs/jobContext'
import { newId } from '../jobs/newId'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { flushTree } from '../tools/flushTree'
import { requireBuilder, requirePassword, variantOf } from './buildability'
import type { Built, OptionBuilder } from './builders/optionBuilder'
import { type BuildSource, buildSource, checkFiles, filesInGroups, filesInOrder } from './buildSource'
import { machinePace } from './machinePace'
import { optionForecast } from './optionForecast'

/** Builds work in folders of this name next to what they make. */
const BUILD_FOLDER = '.stowage-option'

const PHASES = ['preparing', 'building', 'checking'] as const

/**
 * Builds an option for real, and stores forecast and actual together in the catalog. What is made
 * appears under its name when it is whole; nothing else is left, however it ends.
 */
export function optionJob(request: OptionBuildRequest, catalog: Catalog): Job {
  return {
    kind: 'option',
    title: `Building ${variantOf(request.optionId)}`,
    run: (context) => build(request, catalog, context),
  }
}

async function build(request: OptionBuildRequest, catalog: Catalog, context: JobContext): Promise<string> {
  const variant = variantOf(request.optionId)
  const { recipe, builder } = await requireBuilder(variant, request)
  requirePassword(variant, request)
  const survey = catalog.survey(request.surveyId)
  if (survey.partial) {
    throw new AppError('refused', said`cannot build from survey ${survey.id}: it was stopped early`)
  }
  const pace = await machinePace()
  const forecast = optionForecast(catalog, survey, variant, request.encryption, pace)
  await requireFree(request)
  const source = buildSource(survey.roots, catalog.surveyEntries(survey.id))
  await checkFiles(source.files, context.signal)
  const total = survey.totals.bytes
  const tell = (phase: (typeof PHASES)[number], done: number | null): void =>
    context.progress({
      phase: { index: PHASES.indexOf(phase) + 1, count: PHASES.length, name: phase },
      filesDone: 0,
      filesTotal: null,
      bytesDone: done ?? 0,
      bytesTotal: done === null ? null : total,
      current: null,
    })
  tell('preparing', null)
  const createdWallMs = context.clock.wallMs()
  const id = context.newId('o')
  await withTempFolder(catalog, joinPath(folderOf(request.path), newId(BUILD_FOLDER)), async (folder) => {
    const made = joinPath(folder, 'made')
    const started = context.clock.monotonicMs()
    tell('building', 0)
    const built = await run(builder, survey, source, catalog, {
      recipe,
      request,
      made,
      folder,
      context,
      onProgress: (done) => tell('building', done),
    })
    // What is not on the device yet is not built: its time counts.
    await flushTree(made, context.signal)
    const buildSeconds = (context.clock.monotonicMs() - started) / 1000
    tell('checking', null)
    const sha256 = built.repeatable ? await sha256Of(made, context.signal) : null
    if (!request.discard) await putInPlace(catalog, made, request)
    catalog.saveOptionBuild(
      document({
        id,
        createdWallMs,
        request,
        survey,
        forecast,
        built,
        buildSeconds,
        sha256,
      }),
    )
  })
  return id
}

async function requireFree({ path, force }: OptionBuildRequest): Promise<void> {
  const there = await lstat(fsPath(path)).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return null
    throw fileFailure(thrown, 'write', path)
  })
  if (there === null) return
  if (there.isDirectory()) {
    throw cannot('exists', 'build', path, said`a folder with this name exists; choose another name`)
  }
  if (force) return
  throw new AppError('exists', said`${pathForDisplay(path)} is already there (--force replaces it)`, { path })
}

interface Place {
  readonly recipe: Recipe
  readonly request: OptionBuildRequest
  readonly made: string
  readonly folder: string
  readonly context: JobContext
  readonly onProgress: (bytesDone: number | null) => void
}

async function run(
  builder: OptionBuilder,
  survey: SurveyDocument,
  source: BuildSource,
  catalog: Catalog,
  { recipe, request, made, folder, context, onProgress }: Place,
): Promise<Built> {
  return builder.build({
    recipe,
    roots: survey.roots,
    ...source,
    contentOrder: async () => filesInOrder(source.files, survey, catalog),
    groups: async (by, among) => {
      const asked = among && new Set(among.map(({ path }) => path))
      const files = asked ? source.files.filter(({ path }) => asked.has(path)) : source.files
      return filesInGroups(files, survey, catalog, by)
    },
    path: made,
    encryption: request.encryption,
    password: request.password,
    isKept: !request.discard,
    isPart: holdsOwnFolders(catalog, survey.roots, request.path) || mayLeaveOut(survey),
    scratch: folder,
    signal: context.signal,
    onProgress,
  })
}

/** Null for anything that is not a single file. */
async function sha256Of(path: string, signal: AbortSignal): Promise<string | null> {
  if (!(await lstat(fsPath(path))).isFile()) return null
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(fsPath(path), { highWaterMark: 1 << 20, signal })) {
      hash.update(chunk as Uint8Array)
    }
  } catch (thrown) {
    throwIfAborted(signal)
    throw fileFailure(thrown, 'read', path)
  }
  return hash.digest('hex')
}

async function putInPlace(catalog: Catalog, made: string, request: OptionBuildRequest): Promise<void> {
  await attempt('write', request.path, async () => {
    // Once more: somebody may have put something there while it was built.
    await requireFree(request)
    await replacePlace(catalog, made, request.path)
  })
}

interface Facts {
  readonly id: string
  readonly createdWallMs: number
  readonly request: OptionBuildRequest
  readonly survey: SurveyDocument
  readonly forecast: OptionRow
  readonly built: Built
  readonly buildSeconds: number
  readonly sha256: string | null
}

function document({ request, survey, forecast, built, ...facts }: Facts): OptionBuild {
  const { bytes, buildSeconds, ramBytes, cpuSeconds } = forecast.estimate
  return {
    schema: OPTION_BUILD_SCHEMA,
    id: facts.id,
    createdWallMs: facts.createdWallMs,
    surveyId: survey.id,
    sourceBytes: survey.totals.bytes,
    sourceFiles: survey.totals.files,
    roots: survey.roots,
    variant: forecast.variant,
    family: forecast.family,
    name: forecast.name,
    path: request.path,
    discarded: request.discard,
    tool: built.tool,
    version: built.version,
    command: built.command,
    forecast: { bytes, buildSeconds, ramBytes },
    uncalibrated: {
      bytes: bytes.value,
      buildSeconds: buildSeconds.value,
      ramBytes: ramBytes.value,
      cpuSeconds: cpuSeconds.value,
    },
    actual: {
      bytes: built.bytes,
      buildSeconds: facts.buildSeconds,
      ramBytes: built.ramBytes,
      cpuSeconds: built.cpuSeconds,
    },
    otherCores: null,
    sha256: facts.sha256,
    notes: [...encryptionNote(request.encryption), ...(built.notes ?? [])],
  }
}

function encryptionNote(encryption: OptionEncryption): string[] {
  return encryption === 'none'
    ? []
    : [said`encrypted with ${ENCRYPTION_NAMES[encryption]}, file names included`]
}
