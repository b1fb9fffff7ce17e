/**
 * The room `doctor` reports the state of this installation.
 * How: folders, catalog, drives, programs and log are read as they are; nothing is repaired or
 * changed.
 * Not here: the text of the report, and hiding names in it (`src/domain/doctor`).
 */

import os from 'node:os'
import type { Drive } from '../../contract/dto/run'
import { APP_VERSION } from '../../contract/version'
import {
  type DoctorCheck,
  type DoctorDocument,
  type DoctorRequest,
  worstState,
} from '../../domain/doctor/doctorDocument'
import { redact } from '../../domain/doctor/redact'
import { formatSize } from '../../primitives/quantity'
import { DUCKDB_BYTES, type DuckdbPlace, findDuckdb } from '../fleet/duckdbPlace'
import { loadAddon } from '../native/loadAddon'
import { findDrives } from '../sets/write/drives'
import { toolsReport } from '../tools/toolsReport'
import { catalogState } from './catalogState'
import { folderStates } from './folderChecks'
import { logFailures } from './logFailures'

/**
 * The state of this installation. It opens nothing that is broken and changes nothing, so that it
 * also answers where no other command does.
 */
export async function doctor(dataDir: string, request: DoctorRequest): Promise<DoctorDocument> {
  const [tools, drives] = await Promise.all([toolsReport(), findDrives().catch(() => null)])
  const hidden = { user: os.userInfo().username, host: os.hostname() }
  const addon = addonState()
  const folders = folderStates(dataDir)
  const duckdb = duckdbState(dataDir, request.duckdb)
  const { catalog, checks: catalogChecks } = catalogState(dataDir)
  const checks = [
    addon.check,
    ...folders.map(({ check }) => check),
    ...catalogChecks,
    settingsCheck(request.settingsFaults.map((fault) => redact(fault, hidden))),
    toolsCheck(tools),
    duckdb.check,
    drivesCheck(drives),
  ]
  return {
    schema: 'stowage.doctor/1',
    version: APP_VERSION,
    state: worstState(checks),
    checks,
    system: { platform: process.platform, release: os.release(), arch: process.arch },
    processor: {
      model: os.cpus()[0]?.model.trim() || null,
      cores: os.availableParallelism(),
      form: addon.form,
    },
    runtime: { node: process.versions.node, electron: request.electron },
    memory: { totalBytes: os.totalmem(), freeBytes: os.freemem() },
    folders: folders.map(({ folder }) => folder),
    catalog,
    settings: request.settings,
    tools: tools.map(({ name, version }) => ({ name, version })),
    duckdb: duckdb.version,
    drives: drives?.map((drive) => ({ name: driveName(drive), medium: drive.medium?.kind ?? null })) ?? null,
    failures: logFailures(dataDir, hidden),
  }
}

function addonState(): { readonly form: string | null; readonly check: DoctorCheck } {
  const name = 'native code'
  try {
    const form = loadAddon().blockHash
    return { form, check: { name, state: 'ok', found: `loaded, form ${form}`, cure: null } }
  } catch {
    const cure = 'Install Stowage again; in a checkout run npm start.'
    return { form: null, check: { name, state: 'problem', found: 'cannot be loaded', cure } }
  }
}

function settingsCheck(faults: readonly string[]): DoctorCheck {
  const name = 'settings'
  if (faults.length === 0) return { name, state: 'ok', found: 'the settings file has no fault', cure: null }
  const cure =
    'Correct the line in the settings file (stowage config path names it), or choose the value again.'
  return { name, state: 'warning', found: faults.join('; '), cure }
}

function toolsCheck(tools: readonly { name: string; version: string | null }[]): DoctorCheck {
  const missing = tools.filter(({ version }) => version === null).map(({ name }) => name)
  const found = `${tools.length - missing.length} of ${tools.length} are installed`
  return {
    name: 'external programs',
    state: 'ok',
    found:
      missing.length === 0
        ? found
        : `${found}; missing: ${missing.join(', ')} (stowage tools says what needs them)`,
    cure: null,
  }
}

/** The database of `fleet`, which most installations do without. */
function duckdbState(
  dataDir: string,
  given: string | null,
): { readonly version: string | null; readonly check: DoctorCheck } {
  const name = 'DuckDB'
  let place: DuckdbPlace | null
  try {
    place = findDuckdb(dataDir, given ?? undefined)
  } catch {
    const [found, cure] = given
      ? [
          'not in the folder that STOWAGE_DUCKDB names',
          'Correct the variable, or remove it: stowage fleet then asks to install DuckDB.',
        ]
      : [
          'cannot be read',
          'Remove the folder fleet from the data folder: stowage fleet installs DuckDB again.',
        ]
    return { version: null, check: { name, state: 'warning', found, cure } }
  }
  const found =
    place === null
      ? `not installed; stowage fleet asks to install it with npm (${formatSize(DUCKDB_BYTES)})`
      : `${place.version}, ${given ? 'in the folder that STOWAGE_DUCKDB names' : 'in the data folder'}`
  return { version: place?.version ?? null, check: { name, state: 'ok', found, cure: null } }
}

function drivesCheck(drives: readonly Drive[] | null): DoctorCheck {
  const name = 'optical drives'
  if (drives === null) return { name, state: 'ok', found: 'no program to ask them', cure: null }
  const closed = drives.filter(({ problem }) => problem !== null)
  if (closed.length > 0)
    return {
      name,
      state: 'warning',
      found: closed.map((drive) => `${driveName(drive)}: ${drive.problem}`).join('; '),
      cure: 'Close other programs that use the drive; on Linux become a member of the group cdrom.',
    }
  return { name, state: 'ok', found: drives.length === 0 ? 'none' : `${drives.length} found`, cure: null }
}

function driveName({ vendor, model }: Drive): string {
  return [vendor, model].filter((part) => part !== null && part !== '').join(' ') || 'unknown drive'
}
