import { existsSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import type {
  PlanDocument,
  PlanEntry,
  PlanListItem,
  PlanVolume,
  VolumeFolderRow,
} from '../../../contract/dto/plan'
import type { RunDocument } from '../../../contract/dto/run'
import type { ExtendedAttribute, Ownership } from '../../../domain/sets/ownership'
import { isVerified, stepOf, type VolumeState, type VolumeStep } from '../../../domain/sets/volumeState'
import { AppError } from '../../../primitives/appError'
import { pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { fsPath, textBytes } from '../../files/fileSystem'
import { ownIdentity } from '../../files/processIdentity'
import type { Catalog } from '../catalog'
import { entryKey, entryRange } from '../entryKey'
import { isOwnerAlive } from '../rowOwner'
import { asHex, asText, isExact } from '../textColumns'
import { historyLines, moveHistory, removeHistory, type StoredHistoryLine, saveHistory } from './planHistory'
import { searchPlan } from './planSearch'
import type { KnownOfPlan, PlanVolumes } from './planVolumes'
import type { StoredDocuments } from './storedDocuments'

type PlanPart = Pick<
  Catalog,
  | 'savePlan'
  | 'plan'
  | 'plans'
  | 'projectPlans'
  | 'planVolumeLabels'
  | 'planEntries'
  | 'planHistory'
  | 'volumeFolder'
  | 'searchPlan'
  | 'planPacked'
  | 'planExported'
  | 'withdrawPlan'
>

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

/** Deletes a plan with its volumes and their entries. */
export function removePlan(writer: Database, number: number): void {
  writer.transaction(() => {
    writer.prepare('DELETE FROM plan_entries WHERE key BETWEEN ? AND ?').run(...entryRange(number))
    removeHistory(writer, number)
    writer.prepare('DELETE FROM plans WHERE number = ?').run(number)
  })()
}

/** The catalog's tables of plans and their volumes. */
export function planStore(
  writer: Database,
  reader: Database,
  stored: StoredDocuments<PlanDocument>,
  volumesOf: PlanVolumes,
  { runs, events }: Pick<Catalog, 'runs' | 'events'>,
): PlanPart & { settleWithdrawn(): void; exportedPlans(): { id: string; directory: string }[] } {
  const insertEntry = writer.prepare(
    'INSERT INTO plan_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )

  const planRow = (planId: string): { number: number; document: string } => {
    const row = reader
      .prepare<[string], { number: number; document: string }>(
        'SELECT number, document FROM plans WHERE id = ?',
      )
      .get(planId)
    if (!row) throw new AppError('not-found', said`no plan ${planId} in the catalog`)
    return row
  }

  /** One pass over all runs and events: asked for plan by plan, each would read the whole table. */
  const knownByPlan = (): ((planId: string) => KnownOfPlan) => {
    const ofPlans = Map.groupBy(runs(), ({ planId }) => planId)
    const happened = Map.groupBy(events(), ({ planId }) => planId)
    return (planId) => ({ runs: ofPlans.get(planId) ?? [], events: happened.get(planId) ?? [] })
  }

  /** Newest first, without those whose document is damaged. */
  const listed = () => {
    const knownOf = knownByPlan()
    return reader
      .prepare<[], { number: number; id: string; document: string; directory: Uint8Array | null }>(
        `SELECT number, id, document, directory FROM plans WHERE withdrawn_by IS NULL
         ORDER BY number DESC`,
      )
      .all()
      .flatMap(({ number, id, document, directory }) => {
        const plan = stored.readable(id, document)
        if (!plan) return []
        const known = knownOf(id)
        const volumes = volumesOf({ number, id, createdWallMs: plan.createdWallMs }, known)
        return [{ plan, directory, volumes, lastRun: known.runs[0] ?? null }]
      })
  }

  return {
    savePlan: writer.transaction(
      (
        document: PlanDocument,
        volumes: Iterable<{ index: number; entries: Iterable<PlanEntry> }>,
        withdrawn = false,
        history: Iterable<StoredHistoryLine> = [],
      ) => {
        const number = Number(
          writer
            .prepare(
              'INSERT INTO plans (id, survey_id, created_wall_ms, document, withdrawn_by) VALUES (?, ?, ?, ?, ?)',
            )
            .run(
              document.id,
              document.surveyId,
              document.createdWallMs,
              JSON.stringify(document),
              withdrawn ? ownIdentity() : null,
            ).lastInsertRowid,
        )
        const insertVolume = writer.prepare('INSERT INTO volumes VALUES (?, ?, ?, ?, ?, ?)')
        for (const volume of document.volumes) {
          insertVolume.run(number, volume.index, volume.label, volume.sectors, volume.files, volume.bytes)
        }
        let n = 0
        for (const volume of volumes) {
          for (const entry of volume.entries)
            insertEntry.run(entryKey(number, n++), volume.index, ...columns(entry))
        }
        saveHistory(writer, number, history)
      },
    ),

    plan: (planId) => stored.read(planId, planRow(planId).document),

    plans: () =>
      listed().map(({ plan, directory, volumes, lastRun }) =>
        listItem(plan, [...volumes.values()], directory, lastRun),
      ),

    projectPlans: (projectId) =>
      listed()
        .filter(({ plan }) => plan.project?.id === projectId)
        .map(({ plan, directory, volumes }) => ({
          id: plan.id,
          createdWallMs: plan.createdWallMs,
          medium: plan.medium.name,
          directory: directory === null ? null : pathFromBytes(directory),
          volumes: [...volumes].map(([index, { label, state }]) => ({ index, label, state: stepOf(state) })),
        })),

    exportedPlans: () =>
      reader
        .prepare<[], { id: string; directory: Uint8Array }>(
          'SELECT id, directory FROM plans WHERE directory IS NOT NULL',
        )
        .all()
        .map(({ id, directory }) => ({ id, directory: pathFromBytes(directory) })),

    planVolumeLabels: () =>
      reader
        .prepare<[], { planId: string; volume: number; label: string }>(
          `SELECT id AS planId, volume, label FROM plans JOIN volumes ON plan = number
           WHERE withdrawn_by IS NULL ORDER BY number, volume`,
        )
        .all(),

    *planEntries(planId, volumeIndex) {
      const { number } = planRow(planId)
      const rows = reader
        .prepare<[bigint, bigint, number], EntryRow>(
          `SELECT ${ENTRY_COLUMNS} FROM plan_entries WHERE key BETWEEN ? AND ? AND volume = ? ORDER BY key`,
        )
        .iterate(...entryRange(number), volumeIndex)
      const exactTexts = reader.prepare<[bigint], ExactTexts>(
        `SELECT ${TEXTS.join(', ')} FROM plan_entries WHERE key = ?`,
      )
      for (const row of rows) {
        const exact = TEXTS.every((column) => isExact(row[column]))
          ? undefined
          : exactTexts.get(entryKey(number, row.n))
        yield entryFromRow(exact ? { ...row, ...textsOf(exact) } : row)
      }
    },

    planHistory: (planId) => historyLines(reader, planRow(planId).number),

    volumeFolder({ planId, volume, folder, offset, limit }) {
      const [first, last] = entryRange(planRow(planId).number)
      const inside = textBytes(folder === '' ? '' : `${folder}/`)
      const rows = reader
        .prepare<[Record<string, unknown>], FolderRow>(FOLDER_PAGE)
        .all({ first, last, volume, inside, length: inside.length, offset, limit })
      return { total: rows[0]?.total ?? 0, rows: rows.map(folderRow) }
    },

    searchPlan: ({ planId, pattern, limit }) =>
      searchPlan(reader, entryRange(planRow(planId).number), pattern, limit),

    planPacked: writer.transaction(
      (
        planId: string,
        volumes: readonly PlanVolume[],
        places: ReadonlyMap<string, number>,
        held: ReadonlyMap<string, number> = new Map(),
      ) => {
        const row = writer
          .prepare<[string], { number: number }>('SELECT number FROM plans WHERE id = ?')
          .get(planId)
        if (!row) return
        writer.prepare('DELETE FROM volumes WHERE plan = ?').run(row.number)
        const insertVolume = writer.prepare('INSERT INTO volumes VALUES (?, ?, ?, ?, ?, ?)')
        for (const { index, label, sectors, files, bytes } of volumes)
          insertVolume.run(row.number, index, label, sectors, files, bytes)
        // What is in every volume's index, such as links, is on one that there is.
        const last = Math.max(...volumes.map(({ index }) => index))
        writer
          .prepare('UPDATE plan_entries SET volume = ? WHERE key BETWEEN ? AND ? AND volume > ?')
          .run(last, ...entryRange(row.number), last)
        const move = writer.prepare<[number, bigint]>('UPDATE plan_entries SET volume = ? WHERE key = ?')
        const entries = writer
          .prepare<[bigint, bigint], { key: bigint; path: Uint8Array; volume: bigint }>(
            'SELECT key, path, volume FROM plan_entries WHERE key BETWEEN ? AND ? AND kind <> 1',
          )
          .safeIntegers()
          .all(...entryRange(row.number))
        for (const { key, path, volume } of entries) {
          const place = places.get(pathFromBytes(path))
          if (place !== undefined && BigInt(place) !== volume) move.run(place, key)
        }
        moveHistory(writer, row.number, planId, held)
      },
    ),

    planExported(planId, directory) {
      writer
        .prepare('UPDATE plans SET directory = ?, withdrawn_by = NULL WHERE id = ?')
        .run(textBytes(directory), planId)
    },

    withdrawPlan(planId) {
      writer
        .prepare('UPDATE plans SET withdrawn_by = ? WHERE id = ? AND directory IS NULL')
        .run(ownIdentity(), planId)
    },

    settleWithdrawn() {
      const withdrawn = writer
        .prepare<[], { number: number; withdrawn_by: string }>(
          'SELECT number, withdrawn_by FROM plans WHERE withdrawn_by IS NOT NULL',
        )
        .all()
      for (const { number, withdrawn_by } of withdrawn) {
        if (isOwnerAlive(withdrawn_by)) continue
        removePlan(writer, number)
      }
    },
  }
}

function columns(entry: PlanEntry): unknown[] {
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

function listItem(
  document: PlanDocument,
  volumes: readonly { readonly label: string; readonly state: VolumeState }[],
  directory: Uint8Array | null,
  run: RunDocument | null,
): PlanListItem {
  const states = volumes.map(({ state }) => state)
  const steps = states.map(stepOf)
  const good = states.filter(isVerified)
  const checkBy = states.flatMap(({ checkByWallMs }) => checkByWallMs ?? [])
  const count = (step: VolumeStep): number => steps.filter((each) => each === step).length
  return {
    id: document.id,
    createdWallMs: document.createdWallMs,
    surveyId: document.surveyId,
    roots: document.roots,
    mediumId: document.medium.id,
    mediumName: document.medium.name,
    mediumKind: document.medium.kind,
    volumes: steps.length,
    built: states.filter(({ builtWallMs }) => builtWallMs !== null).length,
    written: count('written'),
    verified: count('verified'),
    failed: count('failed'),
    files: document.totals.files,
    bytes: document.totals.bytes,
    directory: directory === null ? null : pathFromBytes(directory),
    directoryExists: isThere(directory),
    firstLabel: volumes[0]?.label ?? '',
    lastLabel: volumes.at(-1)?.label ?? '',
    project: document.project ?? null,
    onMedia: states.filter(({ writtenWallMs }) => writtenWallMs !== null).length,
    good: good.length,
    verifiedWallMs: good.length === 0 ? null : Math.max(...good.map((state) => state.verifiedWallMs ?? 0)),
    checkByWallMs: checkBy.length === 0 ? null : Math.min(...checkBy),
    lastRun: run && {
      kind: run.kind,
      outcome: run.outcome,
      startedWallMs: run.startedWallMs,
      volumes: run.volumes.length,
      done: run.volumes.filter(({ state }) => state === 'done' || state === 'kept').length,
      failed: run.volumes.filter(({ state }) => state === 'failed').length,
    },
  }
}

/**
 * True when the folder that a plan was exported to still exists: a trial that was deleted has no
 * volumes to check.
 */
export function isThere(directory: Uint8Array | null): boolean {
  return directory !== null && existsSync(fsPath(pathFromBytes(directory)))
}
