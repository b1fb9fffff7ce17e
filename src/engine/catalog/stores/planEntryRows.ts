import type { Database } from 'better-sqlite3'
import type {
  PlanEntry,
  VolumeFolder,
  VolumeFolderRequest,
  VolumeFolderRow,
} from '../../../contract/dto/plan'
import type { ExtendedAttribute, Ownership } from '../../../domain/sets/ownership'
import { AppError } from '../../../primitives/appError'
import { pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { textBytes } from '../../files/fileSystem'
import { entryKey, entryRange } from '../entryKey'
import { asHex, asText, isExact } from '../textColumns'

const KINDS = ['file', 'folder', 'symlink', 'part'] as const

interface EntryRow {
  n: number
  kind: number
  path: string
  source: string
  bytes: number
  sha256: string | null
  link_target: string | null
  part_offset: number | null
  part: number | null
  parts: number | null
  whole_path: string | null
  whole_bytes: number | null
  whole_sha256: string | null
  mtime_ns: string | null
  mode: number | null
  link_of: string | null
  holes: number | null
  container: string | null
  uid: number | null
  gid: number | null
  user_name: string | null
  group_name: string | null
  attributes: string | null
  created_ns: string | null
}

/**
 * The rows of one folder of a volume, from the entries at any depth below it. A further name of a
 * file (`link_of`) takes no bytes.
 */
const FOLDER_PAGE = `
  WITH below AS (
    SELECT kind, bytes, part, parts, link_of, substr(path, :length + 1) AS rest FROM plan_entries
    WHERE key BETWEEN :first AND :last AND volume = :volume AND substr(path, 1, :length) = :inside
  ), named AS (
    SELECT *, instr(rest, x'2f') AS slash FROM below WHERE length(rest) > 0
  )
  SELECT CASE slash WHEN 0 THEN rest ELSE substr(rest, 1, slash - 1) END AS name,
    max(slash > 0 OR kind = 1) AS is_folder, max(kind) AS kind, sum(kind IN (0, 3)) AS files,
    sum(CASE WHEN link_of IS NULL THEN bytes ELSE 0 END) AS bytes,
    max(part) AS part, max(parts) AS parts, count(*) OVER () AS total
  FROM named GROUP BY name ORDER BY is_folder DESC, name LIMIT :limit OFFSET :offset`

interface FolderRow {
  name: Uint8Array
  is_folder: number
  kind: number
  files: number
  bytes: number
  part: number | null
  parts: number | null
  total: number
}

function folderRow(row: FolderRow): VolumeFolderRow {
  const kind = row.is_folder === 1 ? 'folder' : (KINDS[row.kind] ?? 'file')
  const part = kind === 'part' ? { part: row.part ?? 0, parts: row.parts ?? 0 } : {}
  return { name: pathFromBytes(row.name), kind, files: row.files, bytes: row.bytes, ...part }
}

const TEXTS = [
  'path',
  'source',
  'link_target',
  'whole_path',
  'link_of',
  'container',
  'user_name',
  'group_name',
] as const
const ENTRY_COLUMNS = [
  'key & 4294967295 AS n, kind, bytes, part_offset, part, parts, whole_bytes, mtime_ns, mode, holes, uid, gid, attributes, created_ns',
  ...['sha256', 'whole_sha256'].map(asHex),
  ...TEXTS.map(asText),
].join(', ')

type ExactTexts = Record<(typeof TEXTS)[number], Uint8Array | null>

/** The entries of one volume of a plan, in their order. */
export function* entriesOfVolume(reader: Database, plan: number, volume: number): Generator<PlanEntry> {
  const rows = reader
    .prepare<[bigint, bigint, number], EntryRow>(
      `SELECT ${ENTRY_COLUMNS} FROM plan_entries WHERE key BETWEEN ? AND ? AND volume = ? ORDER BY key`,
    )
    .iterate(...entryRange(plan), volume)
  const exactTexts = reader.prepare<[bigint], ExactTexts>(
    `SELECT ${TEXTS.join(', ')} FROM plan_entries WHERE key = ?`,
  )
  for (const row of rows) {
    const exact = TEXTS.every((column) => isExact(row[column]))
      ? undefined
      : exactTexts.get(entryKey(plan, row.n))
    yield entryFromRow(exact ? { ...row, ...textsOf(exact) } : row)
  }
}

/** One page of a folder of a volume. */
export function folderOfVolume(
  reader: Database,
  plan: number,
  { volume, folder, offset, limit }: VolumeFolderRequest,
): VolumeFolder {
  const [first, last] = entryRange(plan)
  const inside = textBytes(folder === '' ? '' : `${folder}/`)
  const rows = reader
    .prepare<[Record<string, unknown>], FolderRow>(FOLDER_PAGE)
    .all({ first, last, volume, inside, length: inside.length, offset, limit })
  return { total: rows[0]?.total ?? 0, rows: rows.map(folderRow) }
}

/** The columns of an entry after its key and its volume. */
export function entryColumns(entry: PlanEntry): unknown[] {
  const isPart = entry.kind === 'part'
  const hasContent = entry.kind === 'file' || isPart
  const { linkOf, in: container } = hasContent ? entry : {}
  return [
    KINDS.indexOf(entry.kind),
    textBytes(entry.path),
    textBytes(entry.source),
    hasContent ? entry.bytes : 0,
    hasContent ? Buffer.from(entry.sha256, 'hex') : null,
    entry.kind === 'symlink' ? textBytes(entry.target) : null,
    ...(isPart
      ? [
          entry.offset,
          entry.part,
          entry.parts,
          textBytes(entry.wholePath),
          entry.wholeBytes,
          Buffer.from(entry.wholeSha256, 'hex'),
        ]
      : Array<null>(6).fill(null)),
    entry.mtimeNs ?? null,
    (entry.kind === 'symlink' ? undefined : entry.mode) ?? null,
    linkOf === undefined ? null : textBytes(linkOf),
    hasContent && entry.holes ? 1 : null,
    container === undefined ? null : textBytes(container),
    ...ownershipColumns(entry),
    (entry.kind === 'symlink' ? undefined : entry.createdNs) ?? null,
  ]
}

function ownershipColumns({ owner, attributes }: Ownership): unknown[] {
  return [
    owner?.uid ?? null,
    owner?.gid ?? null,
    owner?.user === undefined ? null : textBytes(owner.user),
    owner?.group === undefined ? null : textBytes(owner.group),
    attributes === undefined ? null : JSON.stringify(attributes),
  ]
}

function ownershipOf(row: EntryRow): Ownership {
  const { uid, gid, user_name: user, group_name: group, attributes } = row
  return {
    ...(uid === null || gid === null
      ? {}
      : {
          owner: {
            uid,
            gid,
            ...(user === null ? {} : { user: user }),
            ...(group === null ? {} : { group: group }),
          },
        }),
    ...(attributes === null ? {} : { attributes: JSON.parse(attributes) as ExtendedAttribute[] }),
  }
}

function textsOf(exact: ExactTexts): Pick<EntryRow, (typeof TEXTS)[number]> {
  const texts = TEXTS.map((column) => [column, exact[column] && pathFromBytes(exact[column])])
  return Object.fromEntries(texts) as Pick<EntryRow, (typeof TEXTS)[number]>
}

function entryFromRow(row: EntryRow): PlanEntry {
  const kind = KINDS[row.kind]
  const start = {
    path: row.path,
    source: row.source,
    ...(row.mtime_ns === null ? {} : { mtimeNs: row.mtime_ns }),
    ...ownershipOf(row),
  }
  const mode = row.mode === null ? {} : { mode: row.mode }
  const created = row.created_ns === null ? {} : { createdNs: row.created_ns }
  if (kind === 'folder') return { kind, ...start, ...created, ...mode }
  if (kind === 'symlink' && row.link_target !== null) return { kind, ...start, target: row.link_target }
  const facts = {
    ...created,
    ...mode,
    ...(row.link_of === null ? {} : { linkOf: row.link_of }),
    ...(row.holes === null ? {} : { holes: true as const }),
    ...(row.container === null ? {} : { in: row.container }),
  }
  if (kind === 'file' && row.sha256 !== null)
    return { kind, ...start, bytes: row.bytes, sha256: row.sha256, ...facts }
  if (kind === 'part' && row.sha256 !== null && row.whole_path !== null && row.whole_sha256 !== null) {
    return {
      kind,
      ...start,
      bytes: row.bytes,
      sha256: row.sha256,
      ...facts,
      offset: row.part_offset ?? 0,
      part: row.part ?? 0,
      parts: row.parts ?? 0,
      wholePath: row.whole_path,
      wholeBytes: row.whole_bytes ?? 0,
      wholeSha256: row.whole_sha256,
    }
  }
  throw new AppError('catalog-broken', said`an entry of kind ${row.kind} in the catalog lacks a column`)
}
