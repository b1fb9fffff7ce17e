import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { DoctorCheck, DoctorDocument } from '../../domain/doctor/doctorDocument'
import { AppError } from '../../primitives/appError'
import { formatSize } from '../../primitives/quantity'
import { catalogFailure } from '../catalog/catalogFailure'
import { MIGRATIONS } from '../catalog/migrate'
import { mayBeAlive } from '../files/processIdentity'

interface CatalogState {
  readonly catalog: DoctorDocument['catalog']
  readonly checks: readonly DoctorCheck[]
}

const NEWEST = MIGRATIONS.at(-1)?.version ?? 0
const BACKUP = 'Close Stowage, copy the data folder to a safe place, then move catalog.db out of it.'

/** Reads the catalog as it is: nothing in it is changed, not even brought to a newer schema. */
export function catalogState(dataDir: string): CatalogState {
  const file = join(dataDir, 'catalog.db')
  if (!existsSync(file)) {
    const found = 'there is none yet; the first survey makes it'
    return {
      catalog: { bytes: null, version: null, newestVersion: NEWEST },
      checks: [{ name: 'catalog', state: 'ok', found, cure: null }],
    }
  }
  const bytes = statSync(file).size
  let version: number | null = null
  try {
    const database = new Database(file, { readonly: true, timeout: 10_000 })
    try {
      version = Number(database.pragma('user_version', { simple: true }))
      const checks =
        version > NEWEST ? [newer(version)] : [...integrity(database, bytes), leftOvers(database)]
      return { catalog: { bytes, version, newestVersion: NEWEST }, checks }
    } finally {
      database.close()
    }
  } catch (thrown) {
    const { code, message } = AppError.from(catalogFailure(thrown, 'open', 'catalog.db'))
    const found = message.replace(/^cannot open .*?: /, '')
    const cure =
      code === 'permission-denied' ? 'Give yourself the right to read and write the data folder.' : BACKUP
    return {
      catalog: { bytes, version, newestVersion: NEWEST },
      checks: [{ name: 'catalog', state: 'problem', found: `cannot be read: ${found}`, cure }],
    }
  }
}

function newer(version: number): DoctorCheck {
  return {
    name: 'catalog',
    state: 'problem',
    found: `a newer Stowage wrote it (schema ${version}, this one knows ${NEWEST})`,
    cure: 'Install the newer Stowage again.',
  }
}

function integrity(database: Database.Database, bytes: number): DoctorCheck[] {
  const [first] = database.pragma('quick_check(1)') as { quick_check: string }[]
  const said = first?.quick_check ?? ''
  if (said !== 'ok') {
    const found = 'it is damaged: the quick integrity check failed'
    return [{ name: 'catalog', state: 'problem', found, cure: BACKUP }]
  }
  return [{ name: 'catalog', state: 'ok', found: `${formatSize(bytes)}, integrity good`, cure: null }]
}

/** Folders and files that killed processes were making; the next start cleans them up. */
function leftOvers(database: Database.Database): DoctorCheck {
  const owners = database.prepare<[], string>('SELECT owner FROM noted_places').pluck().all()
  const left = owners.filter((owner) => !mayBeAlive(owner)).length
  if (left === 0) return { name: 'interrupted work', state: 'ok', found: 'nothing is left', cure: null }
  return {
    name: 'interrupted work',
    state: 'warning',
    found: `${left} unfinished ${left === 1 ? 'result' : 'results'} of processes that were killed`,
    cure: 'Start the window, or any command that uses the catalog: it removes them or puts them back.',
  }
}
