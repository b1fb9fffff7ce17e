import type { KeptDocument } from '../../contract/dto/survey'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { FOLDER_COPY_TABLE, KEPT_TABLE } from '../../contract/tables/surveyTables'
import { labelRanges } from '../../domain/sets/naming/labelRanges'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatSize } from '../shape/sizes'
import { ownTableLines, tableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { SurveyView } from './surveyView'

/** How a file without SHA-256 is recognised: figures of such files always say so. */
const BY_TIME = 'by name, size and time only'

/**
 * `Already kept: 3,204 files, 21 GB of 25 GB on verified volumes PHOTOS_01 to PHOTOS_04.`; null
 * where nothing is kept.
 */
export function keptText({ totals, volumes }: KeptDocument): string | null {
  const { files, bytes, byDigest, byTime, notKept } = totals
  const kept = byDigest.files + byTime.files
  if (kept === 0) return null
  const isAll = notKept.files === 0
  const much = isAll
    ? `all ${formatCounted(files, 'file')}, ${formatSize(bytes)},`
    : `${formatCounted(kept, 'file')}, ${formatSize(byDigest.bytes + byTime.bytes)} of ${formatSize(bytes)}`
  const labels = new Set(volumes.map(({ label }) => label))
  const where = `${labels.size === 1 ? 'volume' : 'volumes'} ${labelRanges(labels)}`
  const which = byTime.files === kept ? '' : `${formatCount(byTime.files)} of them `
  const how = byTime.files === 0 ? '' : `; ${which}${BY_TIME}`
  return `Already kept: ${much} on verified ${where}${how}.`
}

const BY_TIME_COLUMN = ['by_time_only_files'] as const

const VOLUME_COLUMNS: readonly TableColumn<KeptDocument['volumes'][number], string>[] = [
  { heading: 'volume', kind: 'label', of: ({ label }) => label },
  { heading: 'verified', kind: 'day', of: ({ checkedWallMs }) => checkedWallMs },
  { heading: 'files', kind: 'count', of: ({ files }) => files },
  { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  { heading: 'plan', kind: 'code', of: ({ planId }) => planId },
]

/** The folders of a source with how much of each is on verified volumes, and these volumes. */
export async function keptTable({ kept: ask }: SurveyView): Promise<string[]> {
  const kept = await ask()
  if (kept.totals.files === 0) return ['No files, so none is kept.']
  if (!kept.anyVerified) return ['The catalog has no verified volume.']
  const line = keptText(kept)
  if (line === null) return ['No file of it is on a verified volume.']
  const hasTimes = kept.totals.byTime.files > 0
  return [
    ...wrapped(line),
    '',
    ...tableLines(
      KEPT_TABLE,
      ['stored_bytes', 'bytes', 'share', 'stored_files', ...(hasTimes ? BY_TIME_COLUMN : []), 'folder'],
      kept.folders,
    ),
    ...moreText(kept.moreFolders),
    ...wrapped('Below a folder of which everything or nothing is kept, folders are not listed.'),
    '',
    ...ownTableLines(VOLUME_COLUMNS, kept.volumes),
  ]
}

/** Folders that are whole copies of another folder of the same source. */
export async function copiesTable({ document, kept: ask }: SurveyView): Promise<string[]> {
  if (document.totals.files === 0) return ['No files, so no copies of folders.']
  const { copies, copiesAbsent, moreCopies, withoutSha256 } = await ask()
  if (!copies) return wrapped(`Folders are not compared: ${copiesAbsent}.`)
  const files = withoutSha256 === 1 ? '1 file has' : `${formatCount(withoutSha256)} files have`
  const left =
    withoutSha256 === 0 ? [] : wrapped(`${files} no SHA-256: folders that hold one are not compared.`)
  if (copies.length === 0) return ['No folder is a copy of another one.', ...left]
  return [
    ...tableLines(FOLDER_COPY_TABLE, ['bytes', 'files', 'folder', 'copy_of'], copies),
    ...moreText(moreCopies),
    ...left,
  ]
}

function moreText(more: number): string[] {
  return more === 0 ? [] : [`and ${formatCount(more)} more`]
}
