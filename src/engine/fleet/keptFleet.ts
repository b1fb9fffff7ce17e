import type { FleetBy } from '../../domain/fleet/fleetCounts'
import { type Amount, type FleetKept, KeptSums } from '../../domain/fleet/fleetKept'
import { Safeties, type Safety, type Way } from '../../domain/sets/copies/safety'
import { type UnitedCopy, unitedCopies } from '../../domain/sets/copies/unitedCopies'
import { catalogPart } from '../catalogExport/catalogTables'
import {
  type CheckedCatalog,
  type KnownOfCatalog,
  openAllCatalogs,
  readKnown,
} from '../catalogExport/openCatalogs'
import { joinPath } from '../files/fileSystem'
import { type CheckedFingerprints, openAllFingerprints } from '../fingerprints/checkFingerprints'
import { requireSameKey } from '../fingerprints/tableFolders'
import type { JobContext } from '../jobs/jobContext'
import { inRanges } from './countScheme'
import { type Bounds, type Database, tableBytes, withDuckdb } from './duckdb'
import type { DuckdbPlace } from './duckdbPlace'
import { type HashRange, parquet } from './prints'
import { groupNameIn, NO_TYPE, partedFiles, requirePaths, sourceNames } from './sourceFiles'

export interface KeptRequest {
  /** Absolute paths of folders of fingerprints. */
  readonly folders: readonly string[]
  /** The same of exported catalogs. */
  readonly catalogs: readonly string[]
  readonly by: FleetBy
  /** How many groups and folders are listed. */
  readonly limit: number
  readonly bounds: Bounds
}

/** Memory of a file while files are joined by their digests, with a margin. */
const JOINED_ROW_BYTES = 400

/**
 * How much of surveyed sources is on verified copies: files are found by SHA-256 in the catalogs,
 * and each list of volumes that hold one is judged as by `safe`.
 * @param place finds or installs the database, once everything was checked
 * @throws AppError as `openAllFingerprints`, `openAllCatalogs` and `withDuckdb`; `bad-input` where
 *   the keys of fingerprints and catalogs differ
 */
export async function keptFleet(
  { folders, catalogs: catalogFolders, by, limit, bounds }: KeptRequest,
  place: () => Promise<DuckdbPlace>,
  context: JobContext,
): Promise<FleetKept> {
  const { signal, clock } = context
  const prints = await openAllFingerprints(folders, {
    signal,
    onBytes: (done, total) => tell(context, 1, done, total),
  })
  if (by !== 'source') requirePaths(prints, `--by ${by}`)
  const catalogs = await openAllCatalogs(catalogFolders, {
    signal,
    onBytes: (done, total) => tell(context, 2, done, total),
  })
  if (prints[0] && catalogs[0]) requireSameKey(prints[0], catalogs[0])
  const known: KnownOfCatalog[] = []
  for (const catalog of catalogs) known.push(await readKnown(catalog))
  const atWallMs = clock.wallMs()
  const copies = unitedCopies(known, atWallMs)
  const judge = new KeptJudge(known, copies)
  const sums = new GroupSums(by, prints.length)
  const stored = catalogs.map((catalog, at) => ({ catalog, ways: known[at]?.ways.length ?? 0 }))
  const names = await withDuckdb(await place(), bounds, signal, async (database) => {
    const own = await sourceNames(database, prints)
    const asked = { prints, stored, names: own, by, bounds }
    const found = await joinFiles(database, asked, (share) => tell(context, 3, share, 1))
    for (const { source, isKnown, ways, ...files } of found) {
      const survey = prints[source]?.note.survey ?? ''
      sums.add({ source, ...files }, isKnown ? judge.keptBy(survey, ways) : null)
    }
    return own
  })
  return {
    schema: 'stowage.fleetKept/1',
    atWallMs,
    key: prints[0]?.note.key ?? null,
    sources: prints.map(({ folder, note: { survey, createdWallMs, totals } }, at) => {
      const about = { survey, folder, name: names[at] ?? null, createdWallMs, skipped: totals.skipped }
      return Object.assign(about, sums.ofSource(at))
    }),
    catalogs: catalogs.map(({ folder, note }, at) => ({
      catalog: note.catalog,
      folder,
      exportedWallMs: note.createdWallMs,
      volumes: note.totals.volumes,
      copies: known[at]?.copies.length ?? 0,
      goodCopies: copies.flat().filter(({ catalog }) => catalog === at).length,
    })),
    all: sums.all,
    by,
    ...sums.listed(limit),
  }
}

const PHASES = ['checking', 'checking', 'comparing'] as const
/** Each phase is a third of the work: the sizes of later ones are not known before. */
const UNITS = 1000

/** @param total bytes that are checked, or parts of the comparison */
function tell({ progress }: JobContext, index: 1 | 2 | 3, done: number, total: number): void {
  const isChecking = index < 3
  const units = Math.round((UNITS * done) / Math.max(1, total))
  progress({
    phase: { index, count: PHASES.length, name: PHASES[index - 1] ?? '' },
    filesDone: 0,
    filesTotal: null,
    bytesDone: isChecking ? done : 0,
    bytesTotal: isChecking ? total : null,
    current: null,
    work: PHASES.map((name, at) => ({
      kind: `${name} ${at}`,
      unit: 'bytes',
      done: at + 1 < index ? UNITS : at + 1 === index ? units : 0,
      total: UNITS,
      isCalculated: name === 'comparing',
    })),
  })
}

/** Judges lists of ways by the good copies of all catalogs. */
class KeptJudge {
  readonly #known: readonly KnownOfCatalog[]
  readonly #copies: readonly (readonly UnitedCopy[])[]
  /** The volumes of each way, by the numbers of all ways and volumes together. */
  readonly #ways: readonly Way[]
  readonly #bySurvey = new Map<string, Map<string, Safety>>()
  readonly #safeties = new Map<string, Safeties>()

  constructor(known: readonly KnownOfCatalog[], copies: readonly (readonly UnitedCopy[])[]) {
    this.#known = known
    this.#copies = copies
    let before = 0
    this.#ways = known.flatMap(({ ways, volumes }) => {
      const first = before
      before += volumes
      return ways.map((way) => way.map((volume) => first + volume))
    })
  }

  /** @param ways numbers of ways with spaces between; empty where no volume holds the file */
  keptBy(survey: string, ways: string): Safety {
    let own = this.#bySurvey.get(survey)
    if (!own) this.#bySurvey.set(survey, (own = new Map()))
    let safety = own.get(ways)
    if (!safety) {
      const numbers = ways === '' ? [] : ways.split(' ').map(Number)
      const list = numbers.flatMap((number) => {
        const way = this.#ways[number]
        return way && way.length > 0 ? [way] : []
      })
      safety = this.#safetiesOf(survey).of(list)
      own.set(ways, safety)
    }
    return safety
  }

  /** Copies in the folders of a survey are no copies of it. */
  #safetiesOf(survey: string): Safeties {
    let safeties = this.#safeties.get(survey)
    if (!safeties) {
      const isInside = ({ catalog, index }: UnitedCopy): boolean =>
        this.#known[catalog]?.inside.get(survey)?.has(index) === true
      safeties = new Safeties(
        this.#copies.map((copies) => copies.filter((copy) => !isInside(copy))),
        [],
      )
      this.#safeties.set(survey, safeties)
    }
    return safeties
  }
}

interface Group {
  readonly source: number
  /** The folder that holds the files. */
  readonly folder: string
  /** The name of the group that was asked for; empty by source. */
  readonly grp: string
}

/** Files that are alike in everything that is asked. */
interface FoundFiles extends Group, Amount {
  readonly isKnown: boolean
  readonly ways: string
}

/** Adds up files by source, by the groups that are asked for, and those on no copy by folder. */
class GroupSums {
  readonly #by: FleetBy
  readonly #all = new KeptSums()
  readonly #sources: readonly KeptSums[]
  readonly #groups = new Map<string, Pick<Group, 'source' | 'grp'> & { readonly sums: KeptSums }>()
  readonly #onNone = new Map<string, FleetKept['onNone'][number]>()

  constructor(by: FleetBy, sources: number) {
    this.#by = by
    this.#sources = Array.from({ length: sources }, () => new KeptSums())
  }

  add({ source, folder, grp, files, bytes }: Group & Amount, kept: Safety | null): void {
    const amount = { files, bytes }
    this.#all.add(kept, amount)
    this.#sources[source]?.add(kept, amount)
    if (this.#by !== 'source') {
      const key = this.#by === 'type' ? grp : `${source} ${grp}`
      const own = this.#groups.get(key) ?? { source, grp, sums: new KeptSums() }
      own.sums.add(kept, amount)
      this.#groups.set(key, own)
    }
    if (kept?.copies !== 0) return
    const key = `${source} ${folder}`
    const known = this.#onNone.get(key)
    this.#onNone.set(key, {
      source,
      folder,
      files: files + (known?.files ?? 0),
      bytes: bytes + (known?.bytes ?? 0),
    })
  }

  get all(): FleetKept['all'] {
    return this.#all.figures
  }

  ofSource(source: number): FleetKept['all'] {
    return (this.#sources[source] ?? new KeptSums()).figures
  }

  listed(limit: number): Pick<FleetKept, 'groups' | 'moreGroups' | 'onNone' | 'moreOnNone'> {
    const groups = [...this.#groups.values()].toSorted((one, other) => other.sums.bytes - one.sums.bytes)
    const onNone = [...this.#onNone.values()].toSorted((one, other) => other.bytes - one.bytes)
    const isType = this.#by === 'type'
    return {
      groups: groups
        .slice(0, limit)
        .map(({ source, grp, sums }) =>
          Object.assign({ source: isType ? null : source, name: grp || NO_TYPE }, sums.figures),
        ),
      moreGroups: Math.max(0, groups.length - limit),
      onNone: onNone.slice(0, limit),
      moreOnNone: Math.max(0, onNone.length - limit),
    }
  }
}

/** A catalog with the number of its ways. */
interface Stored {
  readonly catalog: CheckedCatalog
  readonly ways: number
}

interface Joined {
  readonly prints: readonly CheckedFingerprints[]
  readonly stored: readonly Stored[]
  /** As `sourceNames`. */
  readonly names: readonly (string | null)[]
  readonly by: FleetBy
  readonly bounds: Bounds
}

const COLUMNS = {
  source: 'number',
  folder: 'text',
  grp: 'text',
  known: 'number',
  ways: 'text',
  files: 'whole',
  bytes: 'whole',
} as const

/**
 * Counts the files of all sources by folder and by the ways to restore them, a range of digests
 * after the other.
 */
async function joinFiles(
  database: Database,
  { prints, stored, names, by, bounds }: Joined,
  onShare: (share: number) => void,
): Promise<FoundFiles[]> {
  const empty = stored[0]?.catalog.note.emptySha256 ?? ''
  const surveyed = prints.map((one, source) => {
    const grp = by === 'source' ? `''` : groupNameIn(by, names[source] ?? null)
    return `SELECT ${source} AS source, array_to_string(parts[1:len(parts) - 1], '/') AS folder, ${grp} AS grp, size,
      CASE WHEN sha256 = '' AND size = 0 THEN '${empty}' ELSE sha256 END AS sha256 FROM ${partedFiles(one)}`
  })
  await database.run(`CREATE TEMP VIEW files AS ${surveyed.join(' UNION ALL ')}`)
  await database.run(`CREATE TEMP VIEW stored AS ${storedOf(stored)}`)
  const rows =
    prints.reduce((sum, { note }) => sum + note.totals.files, 0) +
    stored.reduce((sum, { catalog }) => sum + catalog.note.totals.files, 0)
  const parts = Math.max(1, Math.ceil((rows * JOINED_ROW_BYTES) / tableBytes(bounds)))
  const found: FoundFiles[] = []
  await inRanges({ from: 0n, to: 1n << 64n }, parts, onShare, async (range) => {
    const some: FoundFiles[] = []
    for await (const { known, files, bytes, ...row } of database.rows(joined(range), COLUMNS))
      some.push({ ...row, isKnown: known === 1, files: Number(files), bytes: Number(bytes) })
    // Only once all of a range is known: it may not fit.
    for (const row of some) found.push(row)
  })
  return found
}

/** The files of all catalogs, with the numbers of their ways among all. */
function storedOf(stored: readonly Stored[]): string {
  let before = 0
  return stored
    .map(({ catalog: { folder }, ways }) => {
      const first = before
      before += ways
      const files = parquet([joinPath(folder, catalogPart('files'))])
      return `SELECT sha256, way + ${first} AS way FROM ${files} WHERE way >= 0 AND way < ${ways}`
    })
    .join(' UNION ALL ')
}

function joined(range: HashRange): string {
  return `
    SELECT source, folder, grp, CASE WHEN files.sha256 = '' THEN 0 ELSE 1 END AS known,
      COALESCE(ways, '') AS ways, COUNT(*) AS files, CAST(SUM(size) AS DECIMAL(38, 0)) AS bytes
    FROM (SELECT * FROM files WHERE ${within(range)}) files
    LEFT JOIN (
      SELECT sha256, string_agg(CAST(way AS VARCHAR), ' ' ORDER BY way) AS ways
      FROM (SELECT DISTINCT sha256, way FROM stored WHERE ${within(range)})
      GROUP BY sha256
    ) held ON held.sha256 = files.sha256
    GROUP BY ALL`
}

/** The condition for digests, by their first 64 bits; files without one are in the first range. */
function within({ from, to }: HashRange): string {
  const digits = (hash: bigint): string => `'${hash.toString(16).padStart(16, '0')}'`
  const bounds = [
    ...(from > 0n ? [`sha256 >= ${digits(from)}`] : []),
    ...(to < 1n << 64n ? [`sha256 < ${digits(to)}`] : []),
  ]
  return bounds.length === 0 ? 'true' : bounds.join(' AND ')
}
