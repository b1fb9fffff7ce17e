import { createHash } from 'node:crypto'
import { KEPT_SCHEMA, type KeptDocument, type SurveyDocument } from '../../../contract/dto/survey'
import { folderCopies } from '../../../domain/survey/kept/folderCopies'
import { folderRows, keptFolders, keptTotals } from '../../../domain/survey/kept/keptFolders'
import {
  type Folder,
  type SourceFile,
  SourceFolders,
  withAllBelow,
} from '../../../domain/survey/kept/sourceFolders'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Stepwise } from '../../../primitives/stepwise'
import type { Catalog } from '../../catalog/catalog'
import type { VerifiedVolume } from '../../catalog/verifiedFile'
import { type Pause, resultOf } from '../../jobs/slowly'
import { SourceContents } from './sourceContents'

type KeptCatalog = Pick<Catalog, 'survey' | 'surveyIds' | 'sourceFiles' | 'surveySkips' | 'verifiedFiles'>

interface KeptRequest {
  readonly surveyId: string
  readonly folder?: string | undefined
  readonly limit: number
}

const SHA256_OF_NOTHING = createHash('sha256').digest('hex').toUpperCase()
/** Entries that are looked at in one step. */
const STEP = 512

/**
 * How much of a survey's source is on verified volumes of the catalog: files by SHA-256, and those
 * of which the survey has none by name, size and modification time. Reads the survey's entries and
 * those of all plans with verified volumes; memory grows with the survey alone.
 * @param pause is asked between steps of a few milliseconds
 * @throws AppError `not-found` for a survey or folder that does not exist, also a survey that is
 *   removed meanwhile
 */
export async function surveyKept(
  catalog: KeptCatalog,
  { surveyId, folder, limit }: KeptRequest,
  pause: Pause,
): Promise<KeptDocument> {
  const survey = catalog.survey(surveyId)
  const contents = new SourceContents()
  const source = await readSource(catalog, survey, { contents, pause })
  const tops = folder === undefined ? source.tops : [found(source, folder)]
  const order = await resultOf(withAllBelow(tops), pause)
  const verified = catalog.verifiedFiles()
  if (verified.volumes.length > 0) await contents.addVerified(verified, pause)
  // Of a survey that was removed meanwhile only some entries were read.
  if (!catalog.surveyIds().all.has(surveyId)) catalog.survey(surveyId)
  const sums = await resultOf(
    keptFolders(order, (content) => contents.holdersOf(content).length > 0),
    pause,
  )
  const rows = await resultOf(folderRows(tops, sums), pause)
  const { withSha256, withoutSha256, volumes } = await resultOf(
    countFiles(order, contents, verified.volumes),
    pause,
  )
  const because = noCopies(survey, withoutSha256, withSha256)
  const copies = because === null ? await resultOf(folderCopies(order), pause) : []
  return {
    schema: KEPT_SCHEMA,
    surveyId,
    folder: folder ?? null,
    totals: keptTotals(tops, sums),
    anyVerified: verified.volumes.length > 0,
    folders: rows.slice(0, limit),
    moreFolders: Math.max(0, rows.length - limit),
    ...(because === null ? { copies: copies.slice(0, limit) } : { copiesAbsent: because }),
    moreCopies: Math.max(0, copies.length - limit),
    withoutSha256,
    volumes,
  }
}

/** The survey's folders and files, with a number for each content. */
async function readSource(
  catalog: KeptCatalog,
  survey: SurveyDocument,
  { contents, pause }: { readonly contents: SourceContents; readonly pause: Pause },
): Promise<SourceFolders> {
  const source = new SourceFolders(survey.roots)
  const read = new Map<number, SourceFile>()
  const further: { folder: Folder; name: string; of: number }[] = []
  let looked = 0
  for (const entry of catalog.sourceFiles(survey.id)) {
    if (++looked % STEP === 0) await pause()
    const { id, kind, rootIndex, path, bytes, linkOf } = entry
    if (kind === 'folder') {
      source.addFolder(rootIndex, path)
      continue
    }
    const { folder, name } = source.placeOf(rootIndex, path)
    if (kind === 'symlink') folder.links.push({ name, target: entry.linkTarget ?? '' })
    else if (kind === 'hardLink') further.push({ folder, name, of: linkOf ?? -1 })
    else {
      const sha256 = bytes === 0 ? SHA256_OF_NOTHING : entry.sha256
      const content = contents.numberOf(sha256, entry, name === '' ? lastName(folder.path) : name)
      const file = { name, bytes, content, hasDigest: sha256 !== null, isFurther: false }
      read.set(id, file)
      folder.files.push(file)
    }
  }
  for (const { folder, name, of } of further) {
    const file = read.get(of)
    if (file) folder.files.push({ ...file, name, isFurther: true })
    else folder.isComplete = false
  }
  for (let offset = 0, isMore = true; isMore; offset += STEP) {
    const skips = [...catalog.surveySkips(survey.id, offset, STEP)]
    for (const { path } of skips) source.addMissing(path)
    isMore = skips.length === STEP
    await pause()
  }
  if (survey.partial)
    for (const folder of await resultOf(withAllBelow(source.tops), pause)) folder.isComplete = false
  return source
}

function found(source: SourceFolders, path: string): Folder {
  const folder = source.find(path)
  if (folder) return folder
  throw new AppError('not-found', said`no folder ${pathForDisplay(path)} in this survey`, { path })
}

/** Why folders are not compared; null where they are. */
function noCopies({ partial }: SurveyDocument, withoutSha256: number, withSha256: number): string | null {
  if (partial) return 'the survey was stopped early'
  if (withoutSha256 > 0 && withSha256 === 0) return 'the survey has no SHA-256 of its files'
  return null
}

interface FileCounts {
  /** Files with content and a SHA-256 of it. */
  readonly withSha256: number
  readonly withoutSha256: number
  /** The verified volumes that hold files of these folders. */
  readonly volumes: KeptDocument['volumes']
}

function* countFiles(
  order: readonly Folder[],
  contents: SourceContents,
  volumes: readonly VerifiedVolume[],
): Stepwise<FileCounts> {
  const rows = volumes.map((volume) => ({ ...volume, files: 0, bytes: 0 }))
  const counts = { withSha256: 0, withoutSha256: 0 }
  let looked = 0
  for (const { files } of order) {
    for (const { content, bytes, hasDigest, isFurther } of files) {
      if (++looked % STEP === 0) yield
      if (hasDigest && bytes > 0) counts.withSha256 += 1
      if (isFurther) continue
      if (!hasDigest) counts.withoutSha256 += 1
      for (const place of contents.holdersOf(content)) {
        const row = rows[place]
        if (!row) continue
        row.files += 1
        row.bytes += bytes
      }
    }
  }
  return { ...counts, volumes: rows.filter(({ files }) => files > 0) }
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
