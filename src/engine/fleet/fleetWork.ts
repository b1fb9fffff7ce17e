import type { FleetCounts } from '../../domain/fleet/fleetCounts'
import type { FleetKept } from '../../domain/fleet/fleetKept'
import type { FleetReport } from '../../domain/fleet/fleetReport'
import { said } from '../../primitives/said'
import { openCatalogNotes } from '../catalogExport/openCatalogs'
import type { PlaceNotes } from '../files/scratch'
import { openNotes } from '../fingerprints/checkFingerprints'
import type { Job, JobContext } from '../jobs/jobContext'
import { KeptResults } from '../jobs/keptResults'
import { type DuckdbPlace, findDuckdb, installDuckdb } from './duckdbPlace'
import { importSketch } from './importSketch'
import { type KeptRequest, keptFleet } from './keptFleet'
import { summedReport } from './partFiles'
import { type CountedFleet, countFleet, type FleetRequest, fullReport } from './reportFleet'
import { placeSparkJob, type SparkJob } from './sparkJob'

/** The work on fingerprints of many sources; the command line alone asks for it. */
export interface FleetWork {
  /**
   * DuckDB on this machine, once the notes of what is to be compared were read; null where it has
   * to be installed.
   * @param given the variable STOWAGE_DUCKDB
   * @throws AppError as `openNotes`, `openCatalogNotes` and `findDuckdb`, in this order
   */
  duckdb(
    given: string | undefined,
    looked: { readonly folders: readonly string[]; readonly catalogs?: readonly string[] },
  ): Promise<DuckdbPlace | null>
  /**
   * Starts a report, after DuckDB was installed where `place` is null.
   * @throws AppError as `countFleet`, by the job
   */
  report(request: FleetRequest, place: DuckdbPlace | null): { jobId: string }
  /** The report that a job has kept under this ID. */
  reported(id: string): FleetReport
  /** The counts that such a job was asked for of one range of hashes. */
  counted(id: string): FleetCounts
  /**
   * The report of all ranges, from files with the counts of each.
   * @throws AppError as `summedReport`
   */
  summed(files: readonly string[]): Promise<FleetReport>
  /**
   * Writes a sketch file as fingerprints, and gives the folder of them.
   * @throws AppError as `importSketch`
   */
  importSketch(file: string, into: string): Promise<string>
  /**
   * Starts a job that counts how much of each source is on verified copies.
   * @throws AppError as `keptFleet`, by the job
   */
  kept(request: KeptRequest, place: DuckdbPlace | null): { jobId: string }
  /** The figures that such a job has kept under this ID. */
  keptOf(id: string): FleetKept
  /**
   * The job that a cluster of Spark runs, on this machine.
   * @param folders absolute paths of folders of fingerprints, whose notes are checked
   * @throws AppError as `openNotes` and `placeSparkJob`
   */
  sparkJob(folders: readonly string[]): Promise<SparkJob>
}

export function fleetWork({
  notes,
  dataDir,
  start,
}: {
  readonly notes: PlaceNotes
  readonly dataDir: string
  start(job: Job): { jobId: string }
}): FleetWork {
  const counted = new KeptResults<CountedFleet>('fleet report')
  const kept = new KeptResults<FleetKept>('copies of many sources')
  const job = (
    title: string,
    place: DuckdbPlace | null,
    work: (used: () => Promise<DuckdbPlace>, context: JobContext) => Promise<string>,
  ): { jobId: string } =>
    start({
      kind: 'fleet',
      title,
      run: (context) =>
        work(async () => place ?? (await installDuckdb(notes, dataDir, context.signal)), context),
    })
  return {
    async duckdb(given, { folders, catalogs = [] }) {
      await openNotes(folders)
      await openCatalogNotes(catalogs)
      return findDuckdb(dataDir, given)
    },
    report: (request, place) =>
      job(said`Report on the fingerprints of many sources`, place, async (used, context) =>
        counted.keep(context.newId('f'), await countFleet(request, used, context)),
      ),
    reported: (id) => fullReport(counted.get(id)),
    counted: (id) => counted.get(id).counts,
    summed: summedReport,
    importSketch: (file, into) => importSketch(notes, file, into),
    kept: (request, place) =>
      job(said`Copies of many sources`, place, async (used, context) =>
        kept.keep(context.newId('f'), await keptFleet(request, used, context)),
      ),
    keptOf: (id) => kept.get(id),
    async sparkJob(folders) {
      await openNotes(folders)
      return placeSparkJob(notes, dataDir)
    },
  }
}
