import type { CopiedFolders } from '../../domain/fleet/copiedFolders'
import { type CountedScheme, type FleetBy, type FleetCounts } from '../../domain/fleet/fleetCounts'
import {
  type FleetGreedy,
  type FleetReport,
  type FleetScheme,
  isCounted,
  reportOf,
} from '../../domain/fleet/fleetReport'
import { openAllFingerprints } from '../fingerprints/checkFingerprints'
import type { JobContext } from '../jobs/jobContext'
import { type AskedScheme, askedSchemes } from './askedSchemes'
import { countScheme } from './countScheme'
import { type Bounds, type Database, withDuckdb } from './duckdb'
import type { DuckdbPlace } from './duckdbPlace'
import { folderCopies } from './folderCopies'
import { greedyOrder } from './greedyOrder'
import { keptRange, partOfRange } from './prints'
import { defineGroups, sourceNames } from './sourceFiles'

/** The tables that take more time, and are made only where they are asked for. */
export type FleetTable = 'pairs' | 'new' | 'folders'

export interface FleetRequest {
  /** Absolute paths of folders of fingerprints. */
  readonly folders: readonly string[]
  /** Names of schemes; empty for all. */
  readonly schemes: readonly string[]
  readonly tables: readonly FleetTable[]
  readonly by: FleetBy
  /** Smaller folders are not compared. */
  readonly leastFolderBytes: number
  readonly bounds: Bounds
  /** A part of all hashes, `index` from 1; null for all. */
  readonly range: FleetCounts['range'] | null
}

/** The counts, and the answers that do not add up over ranges. */
export interface CountedFleet {
  readonly counts: FleetCounts
  /** By the names of schemes. */
  readonly greedy: ReadonlyMap<string, FleetGreedy>
  readonly folders: CopiedFolders | null
}

/**
 * Checks the fingerprints, then asks the database for one scheme and one range of hashes after the
 * other, so that each fits into memory.
 * @param place finds or installs the database, once the fingerprints were checked
 * @throws AppError as `openAllFingerprints` and `withDuckdb`; `usage` for a scheme that none has
 */
export async function countFleet(
  request: FleetRequest,
  place: () => Promise<DuckdbPlace>,
  context: JobContext,
): Promise<CountedFleet> {
  const { signal } = context
  const checked = await openAllFingerprints(request.folders, {
    signal,
    onBytes: (done, total) => tell(context, 1, done, total),
  })
  const asked = askedSchemes(checked, request.schemes)
  return withDuckdb(await place(), request.bounds, signal, async (database) => {
    const names = await sourceNames(database, checked)
    const sources = checked.map(({ folder, note: { survey, createdWallMs, totals, carried } }, at) => ({
      survey,
      folder,
      name: names[at] ?? null,
      createdWallMs,
      ...totals,
      changedSince: carried?.others ?? 0,
    }))
    const { by, bounds, tables, leastFolderBytes } = request
    const groups =
      by === 'source'
        ? sources.map(({ name, survey, files, bytes }) => ({ name: name ?? survey, files, bytes }))
        : await defineGroups(database, checked, names, by, bounds)
    const { schemes, greedy } = await countSchemes(database, asked, { groups, sources }, request, context)
    const folders = tables.includes('folders')
      ? await folderCopies(database, checked, names, leastFolderBytes)
      : null
    return {
      counts: {
        schema: 'stowage.fleetPart/1',
        range: request.range ?? { index: 1, count: 1 },
        by,
        sources,
        groups,
        key: checked[0]?.note.key ?? null,
        schemes,
      },
      greedy,
      folders,
    }
  })
}

/** The report of all hashes. */
export function fullReport({ counts, greedy, folders }: CountedFleet): FleetReport {
  const report = reportOf(counts)
  return {
    ...report,
    schemes: report.schemes.map((scheme) => withOrder(scheme, greedy.get(scheme.name))),
    ...(folders && { folders }),
  }
}

function withOrder(scheme: FleetScheme, greedy: FleetGreedy | undefined): FleetScheme {
  return greedy ? { ...scheme, greedy } : scheme
}

async function countSchemes(
  database: Database,
  asked: readonly AskedScheme[],
  { groups, sources }: Pick<FleetCounts, 'groups' | 'sources'>,
  { by, tables, bounds, range }: FleetRequest,
  context: JobContext,
): Promise<{ schemes: CountedScheme[]; greedy: Map<string, FleetGreedy> }> {
  const total = asked.reduce((sum, { rows }) => sum + rows, 0)
  const schemes: CountedScheme[] = []
  const greedy = new Map<string, FleetGreedy>()
  const all = groups.reduce((sum, { bytes }) => sum + bytes, 0)
  const mostOf = {
    group: (group: number) => groups[group]?.bytes || all,
    all,
    isCertain: isCounted(sources),
  }
  let before = 0
  for (const undivided of asked) {
    const one = { ...undivided, manyGroup: by === 'source' ? null : groups.length - 1 }
    const kept = keptRange(one.facts.shift)
    schemes.push(
      await countScheme(database, one, range ? partOfRange(kept, range.index - 1, range.count) : kept, {
        withPairs: tables.includes('pairs'),
        bounds,
        rows: one.rows / (range?.count ?? 1),
        onShare: (share) => tell(context, 2, Math.round(before + share * one.rows), total),
      }),
    )
    before += one.rows
    if (tables.includes('new')) greedy.set(one.facts.name, await greedyOrder(database, one, bounds, mostOf))
  }
  return { schemes, greedy }
}

const PHASES = ['checking', 'comparing'] as const

/** @param total bytes that are checked, or rows that are compared */
function tell({ progress }: JobContext, index: 1 | 2, done: number, total: number): void {
  const isChecking = index === 1
  progress({
    phase: { index, count: PHASES.length, name: PHASES[index - 1] ?? '' },
    filesDone: 0,
    filesTotal: null,
    bytesDone: isChecking ? done : 0,
    bytesTotal: isChecking ? total : null,
    current: null,
    work: [
      { kind: 'checking', unit: 'bytes', done: isChecking ? done : total, total },
      { kind: 'comparing', unit: 'bytes', done: isChecking ? 0 : done, total, isCalculated: true },
    ],
  })
}
