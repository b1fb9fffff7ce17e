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
import type { Catalog } from '../../catalog/catalog'
import type { VerifiedVolume } from '../../catalog/verifiedFile'
import { SourceContents } from './sourceContents'

type KeptCatalog = Pick<Catalog, 'survey' | 'sourceFiles' | 'surveySkips' | 'verifiedFiles'>

interface KeptRequest {
  readonly surveyId: string
  readonly folder?: string | undefined
  readonly limit: number
}

const SHA256_OF_NOTHING = createHash('sha256').digest('hex')

/**
 * How much of a survey's source is on verified volumes of the catalog: files by SHA-256, and those
 * of which the survey has none by name, size and modification time. Reads the survey's entries and
 * those of all plans with verified volumes; memory grows with the survey alone.
 * @throws AppError `not-found` for a survey or folder that there is not
 */
export function surveyKept(catalog: KeptCatalog, { surveyId, folder, limit }: KeptRequest): KeptDocument {
  const survey = catalog.survey(surveyId)
  const contents = new SourceContents()
  const source = readSource(catalog, survey, contents)
  const tops = folder === undefined ? source.tops : [found(source, folder)]
  const verified = catalog.verifiedFiles()
  if (verified.volumes.length > 0) contents.addVerified(verified)
  const sums = keptFolders(tops, (content) => contents.holdersOf(content).length > 0)
  const rows = folderRows(tops, sums)
  const order = withAllBelow(tops)
  const withoutSha256 = count(order, ({ hasDigest, isFurther }) => !hasDigest && !isFurther)
  const withSha256 = count(order, ({ hasDigest, bytes }) => hasDigest && bytes > 0)
  const because = noCopies(survey, withoutSha256, withSha256)
  const copies = because === null ? folderCopies(tops) : []
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
    volumes: volumesOf(order, contents, verified.volumes),
  }
}

/** The survey's folders and files, with a number for each content. */
function readSource(catalog: KeptCatalog, survey: SurveyDocument, contents: SourceContents): SourceFolders {
  const source = new SourceFolders(survey.roots)
  const read = new Map<number, SourceFile>()
  const further: { folder: Folder; name: string; of: number }[] = []
  for (const entry of catalog.sourceFiles(survey.id)) {
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
      const named = { ...entry, sha256, name: name === '' ? lastName(folder.path) : name }
      const hasDigest = sha256 !== null
      const file = { name, bytes, content: contents.numberOf(named), hasDigest, isFurther: false }
      read.set(id, file)
      folder.files.push(file)
    }
  }
  for (const { folder, name, of } of further) {
    const file = read.get(of)
    if (file) folder.files.push({ ...file, name, isFurther: true })
    else folder.isComplete = false
  }
  for (const { path } of catalog.surveySkips(survey.id)) source.addMissing(path)
  if (survey.partial) for (const folder of withAllBelow(source.tops)) folder.isComplete = false
  return source
}

function found(source: SourceFolders, path: string): Folder {
  const folder = source.find(path)
  if (folder) return folder
  throw new AppError('not-found', `no folder ${pathForDisplay(path)} in this survey`, { path })
}

/** Why folders are not compared; null where they are. */
function noCopies({ partial }: SurveyDocument, withoutSha256: number, withSha256: number): string | null {
  if (partial) return 'the survey was stopped early'
  if (withoutSha256 > 0 && withSha256 === 0) return 'the survey has no SHA-256 of its files'
  return null
}

function count(order: readonly Folder[], isCounted: (file: Folder['files'][number]) => boolean): number {
  return order.reduce((sum, { files }) => sum + files.filter(isCounted).length, 0)
}

/** The verified volumes that hold files of these folders. */
function volumesOf(
  order: readonly Folder[],
  contents: SourceContents,
  volumes: readonly VerifiedVolume[],
): KeptDocument['volumes'] {
  const rows = volumes.map((volume) => ({ ...volume, files: 0, bytes: 0 }))
  for (const { files } of order) {
    for (const { content, bytes, isFurther } of files) {
      if (isFurther) continue
      for (const place of contents.holdersOf(content)) {
        const row = rows[place]
        if (!row) continue
        row.files += 1
        row.bytes += bytes
      }
    }
  }
  return rows.filter(({ files }) => files > 0)
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
