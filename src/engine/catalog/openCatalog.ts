import { closeSync, openSync, readSync, statfsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { checkDocumentSchema } from '../../contract/dto/check'
import { planDocumentSchema } from '../../contract/dto/plan'
import { runDocumentSchema } from '../../contract/dto/run'
import { surveyDocumentSchema } from '../../contract/dto/survey'
import { ownPath } from '../../primitives/ownPath'
import { ensureFolder } from '../files/write'
import type { Catalog } from './catalog'
import { catalogFailure } from './catalogFailure'
import { closeToOthers } from './closeToOthers'
import { findFiles } from './findFiles'
import { heldFiles } from './heldFiles'
import { migrate } from './migrate'
import { removal } from './removal'
import { archiveStore } from './stores/archiveStore'
import { askedStore } from './stores/askedStore'
import { checkIntervals } from './stores/checkIntervals'
import { drillStore } from './stores/drillStore'
import { eventStore } from './stores/eventStore'
import { identityStore } from './stores/identityStore'
import { measureStore } from './stores/measureStore'
import { optionStore } from './stores/optionStore'
import { placeStore } from './stores/placeStore'
import { planStore } from './stores/planStore'
import { planVolumes } from './stores/planVolumes'
import { storedDocuments } from './stores/storedDocuments'
import { surveyStore } from './stores/surveyStore'
import { verifiedFiles } from './verifiedFiles'

/**
 * Opens (or makes) the catalog `catalog.db` in the data folder, which is made too when missing;
 * both are closed to other users. Write-ahead logging with full synchronisation: a process killed
 * at any moment leaves the old or the new state. Several processes may have it open; each waits up
 * to ten seconds for another's write.
 * @throws AppError `catalog-newer`, `catalog-broken`, `permission-denied`, `no-space` or `io`,
 *   naming the file. So do its methods.
 */
export function openCatalog(dataDir: string): Catalog {
  const file = join(dataDir, 'catalog.db')
  ensureFolder(dataDir, 0o700)
  try {
    closeToOthers(dataDir, file)
    const writer = new Database(file, { timeout: 10_000 })
    try {
      chooseJournal(writer, file)
      writer.pragma('synchronous = FULL')
      writer.pragma('foreign_keys = ON')
      migrate(writer, file)
      const reader = new Database(file, { readonly: true, timeout: 10_000 })
      // A page cache of 16 MiB and temporary files on disk keep sorting a survey of millions of files bounded.
      reader.pragma('cache_size = -16384')
      return compose(writer, reader, file)
    } catch (thrown) {
      writer.close()
      throw thrown
    }
  } catch (thrown) {
    throw catalogFailure(thrown, 'open', file)
  }
}

function compose(writer: Database.Database, reader: Database.Database, file: string): Catalog {
  const storedPlans = storedDocuments(reader, 'plan', planDocumentSchema)
  const storedSurveys = storedDocuments(reader, 'survey', surveyDocumentSchema)
  const surveys = surveyStore(writer, reader, storedSurveys)
  const intervals = checkIntervals(writer)
  const events = eventStore(
    writer,
    storedDocuments(writer, 'run', runDocumentSchema),
    storedDocuments(writer, 'check', checkDocumentSchema),
    intervals,
  )
  const volumesOf = planVolumes(reader, events)
  const plans = planStore(writer, reader, storedPlans, volumesOf, events)
  surveys.recoverAbandoned()
  plans.removeWithdrawn()
  const catalog: Catalog = {
    ...surveys,
    beginSurvey: (surveyId, earlierId) => plainly(surveys.beginSurvey(surveyId, earlierId), file),
    ...plans,
    ...events,
    ...intervals,
    ...measureStore(writer, reader),
    ...optionStore(writer, reader),
    ...placeStore(writer),
    ...askedStore(writer),
    ...archiveStore(writer),
    ...drillStore(writer),
    ...identityStore(writer),
    ownPlaces: () => ({ dataFolder: ownPath(resolve(dirname(file))), plans: plans.exportedPlans() }),
    find: (pattern, limit, planIds) =>
      findFiles(reader, { storedPlans, storedSurveys, volumesOf }, { pattern, limit, planIds }),
    verifiedFiles: () => verifiedFiles(reader, { storedPlans, volumesOf, events: events.events }),
    heldFiles: (volumes) => heldFiles(reader, storedPlans, volumes),
    remove: removal(writer),
    freeCaches() {
      try {
        for (const connection of [reader, writer]) connection.pragma('shrink_memory')
      } catch {
        // While rows are being read it is refused: the next time will do.
      }
    },
    close() {
      reader.close()
      writer.close()
    },
  }
  return plainly(catalog, file)
}

/**
 * SQLite reserves its memory-mapped index of the log by one byte in every 4 KiB. In smaller blocks
 * the rest stay holes, and on a full disk touching one ends the process by SIGBUS: there the
 * catalog has a journal, which needs no such index.
 */
const LEAST_BLOCK_BYTES = 4096

function chooseJournal(writer: Database.Database, file: string): void {
  if (statfsSync(dirname(file)).bsize >= LEAST_BLOCK_BYTES) {
    writer.pragma('journal_mode = WAL')
    return
  }
  // Of a catalog that came here with a log: while it is locked, the index lies in ordinary memory.
  if (hasLog(file)) writer.pragma('locking_mode = EXCLUSIVE')
  writer.pragma('journal_mode = TRUNCATE')
  writer.pragma('locking_mode = NORMAL')
  // Unlocks it.
  writer.pragma('user_version')
}

/** By the file format's write version (byte 18): 2 for write-ahead logging. */
function hasLog(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    const version = Buffer.alloc(1)
    return readSync(handle, version, 0, 1, 18) === 1 && version[0] === 2
  } finally {
    closeSync(handle)
  }
}

/** The methods of a part of the catalog, with failures of the database as plain lines. */
function plainly<T extends object>(part: T, file: string): T {
  const methods = Object.entries(part).map(([name, method]: [string, (...given: unknown[]) => unknown]) => [
    name,
    (...given: unknown[]): unknown => {
      try {
        return method(...given)
      } catch (thrown) {
        throw catalogFailure(thrown, 'use', file)
      }
    },
  ])
  return Object.fromEntries(methods) as T
}
