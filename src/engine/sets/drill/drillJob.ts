/**
 * The room `drill` proves that files come back: it restores a random sample and removes it again.
 * How: the sample is drawn of what the given volumes can give (`restore/restorePlan`), at least one
 * file of each; `restore` writes it to a temporary folder, and name, content, time and permissions
 * are compared. The result is kept with its date.
 * Not here: reading volumes whole (`check`), restoring for good (`restore`).
 */

import { randomInt } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { DrillRequest } from '../../../contract/dto/drill'
import type { RestoreDocument } from '../../../contract/dto/restore'
import { damagedFoldersLine } from '../../../domain/sets/damagedFolders'
import { DRILL_SCHEMA, type DrillDocument } from '../../../domain/sets/drill/drillDocument'
import { AppError } from '../../../primitives/appError'
import { formatCounted } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { attempt, cannot, fsPath, joinPath } from '../../files/fileSystem'
import { requireSpace } from '../../files/freeSpace'
import { type PlaceNotes, withSystemTempFolder } from '../../files/scratch'
import type { Job, JobContext, JobResult } from '../../jobs/jobContext'
import { KeptResults } from '../../jobs/keptResults'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { dropCachedPages } from '../../native/containers'
import type { CopyCatalog } from '../copies/knownCopies'
import type { ProofCatalog } from '../copies/provedBy'
import { openWholeSet } from '../restore/openWholeSet'
import { restoreJob } from '../restore/restoreJob'
import type { Places } from '../restore/restorePlan'
import type { FileRow, PartRow } from '../volume/lists/setIndex'
import { drawnSample } from './drawnSample'
import { type Candidate, drilledVolumes } from './drilledVolumes'

interface DrillDeps {
  readonly notes: PlaceNotes
  readonly catalog: Pick<Catalog, 'surveyedRoots' | 'saveDrill'> & ProofCatalog & CopyCatalog
}

/** File systems keep times in steps of up to two seconds. */
const TIME_STEP_NS = 2_000_000_000n

/**
 * Restores a random sample of a set, compares it and removes it. The document is kept in the
 * catalog, also of a sample that did not come back as it should: the job then ends with
 * `verification-failed`. Throws `refused` where nothing can be restored from the given volumes
 * alone, `no-space` before anything is written, `cancelled`, and as `restoreJob`; then nothing is
 * kept.
 */
export function drillJob(deps: DrillDeps, request: DrillRequest): Job {
  return { kind: 'drill', title: 'Restore drill', run: (context) => drill(deps, request, context) }
}

async function drill(
  { notes, catalog }: DrillDeps,
  request: DrillRequest,
  context: JobContext,
): Promise<JobResult> {
  const { signal, clock } = context
  const startedWallMs = clock.wallMs()
  const since = clock.monotonicMs()
  const set = await openWholeSet(
    { volumes: request.volumes, password: request.password },
    { notes, catalog, signal },
  )
  const seed = request.seed ?? randomInt(2 ** 32 - 1)
  const { places, sample, bytes, spaceBytes } = await drawnSample(set, { ...request, seed })
  await requireSpace(tmpdir(), spaceBytes, said`restore a sample of ${formatCounted(sample.length, 'file')}`)
  const cachedBytes = await dropped(sample, places, signal)
  const volumes = await drilledVolumes(
    set,
    { places, sample },
    { catalog, copy: request.copy, nowWallMs: startedWallMs },
  )
  const restored = await withSystemTempFolder(notes, 'drill', async (folder) => {
    const document = await restoredInto(folder, { notes, catalog }, request, sample, context)
    return { document, wrong: await wrongIn(folder, document, sample, signal) }
  })
  throwIfAborted(signal)
  const { wrong } = restored
  const document: DrillDocument = {
    schema: DRILL_SCHEMA,
    id: context.newId('d'),
    startedWallMs,
    elapsedMs: clock.monotonicMs() - since,
    outcome: wrong.length === 0 ? 'passed' : 'failed',
    seed,
    evidence: volumes.every(({ isProved }) => isProved) ? 'catalog' : 'volumes',
    files: sample.length,
    bytes,
    right: sample.length - wrong.length,
    wrong,
    volumes: volumes.map(({ shown }) => shown),
    cachedBytes,
    notes: [...damageNotes(restored.document), ...restored.document.notes],
  }
  catalog.saveDrill(document)
  const [first] = wrong
  if (!first) return document.id
  const error = new AppError(
    'verification-failed',
    said`${formatCounted(wrong.length, 'file')} of ${sample.length} did not come back: ${first.error.message}`,
  )
  return { kept: document.id, error }
}

/**
 * Asks the system to forget what it has of the sample's volumes, so that media are read.
 * @returns the bytes that stayed; null where the system cannot tell
 */
async function dropped(
  sample: readonly Candidate[],
  places: Places,
  signal: AbortSignal,
): Promise<number | null> {
  const rows = new Set<FileRow | PartRow>(sample.flatMap((candidate) => candidate.rows))
  const files = new Set([...rows].flatMap((row) => places.get(row)?.file ?? []))
  let cached: number | null = 0
  for (const file of files) {
    const residentBytes = await residentAfter(file, signal)
    cached = cached === null || residentBytes === null ? null : cached + residentBytes
  }
  return cached
}

/** The bytes that stay cached of a file; null where the system cannot drop it, as of a device. */
async function residentAfter(file: string, signal: AbortSignal): Promise<number | null> {
  try {
    return (await dropCachedPages(file, { signal })).residentBytes
  } catch (thrown) {
    throwIfAborted(signal)
    // The restore says why a file cannot be read.
    if (AppError.from(thrown).code === 'internal') throw thrown
    return null
  }
}

/**
 * Restores the sample below a folder.
 * @throws AppError where that failed for another reason than a file
 */
async function restoredInto(
  folder: string,
  deps: DrillDeps,
  { volumes, password }: DrillRequest,
  sample: readonly Candidate[],
  context: JobContext,
): Promise<RestoreDocument> {
  const results = new KeptResults<RestoreDocument>('restore')
  const restore = restoreJob(
    { ...deps, results },
    {
      volumes,
      originalNames: false,
      files: [],
      chosen: { paths: sample.map(({ path }) => path), except: [] },
      to: folder,
      force: false,
      trust: false,
      password,
    },
  )
  const result = await restore.run(context)
  const [id, error] =
    typeof result === 'object' && result !== null && 'kept' in result
      ? [result.kept, result.error]
      : [result, null]
  const document = results.get(typeof id === 'string' ? id : '')
  if (error && (error.code === 'cancelled' || document.damaged.length + document.missing.length === 0))
    throw error
  return document
}

/** Damage of the volumes that the sample came back in spite of. */
function damageNotes({ repaired, damagedLists, damagedFolders = [] }: RestoreDocument): string[] {
  return [
    ...(repaired === 0
      ? []
      : [
          said`${formatCounted(repaired, 'file')} came back by recovery data: the volume is damaged, verify it`,
        ]),
    ...damagedLists.map(({ error }) => error.message),
    ...damagedFolders.map(damagedFoldersLine),
  ]
}

/** The files of a sample that are not as they should be. */
async function wrongIn(
  folder: string,
  { damaged, missing, skipped = [] }: RestoreDocument,
  sample: readonly Candidate[],
  signal: AbortSignal,
): Promise<DrillDocument['wrong']> {
  const wrong = new Map([...damaged, ...missing, ...skipped].map((each) => [each.path, each]))
  for (const candidate of sample) {
    throwIfAborted(signal)
    const { path, label } = candidate
    if (wrong.has(path)) continue
    const because = await faultAt(joinPath(folder, path), candidate)
    if (because === null) continue
    const { code, message } = cannot('verification-failed', 'restore', path, because)
    wrong.set(path, { path, label, error: { code, message, path } })
  }
  return [...wrong.values()]
}

/** Why a restored file is not as it was; its content was compared when it was written. */
async function faultAt(place: string, { bytes, mtimeNs, mode }: Candidate): Promise<string | null> {
  const there = await attempt('read', place, lstat(fsPath(place), { bigint: true })).catch(() => null)
  if (there === null) return said`it is not there`
  if (there.size !== BigInt(bytes)) return said`it has another size`
  const apart = mtimeNs === null ? 0n : there.mtimeNs - mtimeNs
  if (apart > TIME_STEP_NS || -apart > TIME_STEP_NS) return said`it has another time`
  const isOther =
    mode !== null && process.platform !== 'win32' && (Number(there.mode) & 0o777) !== (mode & 0o777)
  return isOther ? said`it has other permissions` : null
}
