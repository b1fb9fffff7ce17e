import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DoctorCheck, DoctorFolder } from '../../domain/doctor/doctorDocument'
import { fileFailure } from '../../primitives/fileFailure'
import { formatSize } from '../../primitives/quantity'
import { isFolder } from '../files/fileSystem'
import { deviceFacts } from '../native/timing'

interface FolderState {
  readonly folder: DoctorFolder
  readonly check: DoctorCheck
}

/** With less, a survey of a large source or a restore from some discs may not end. */
const LEAST_FREE_BYTES = 1e9

const CURES = {
  catalog: 'Give yourself the right to write to the data folder, or set STOWAGE_HOME to another folder.',
  'temporary files': 'Choose another folder: stowage config set work-folder FOLDER, or in Settings.',
} as const

/** The state of the folders that every command uses. @param dataDir may not be there yet */
export function folderStates(dataDir: string): FolderState[] {
  return [stateOf('catalog', existingAbove(dataDir)), stateOf('temporary files', tmpdir())]
}

function existingAbove(folder: string): string {
  let place = folder
  while (!isFolder(place) && dirname(place) !== place) place = dirname(place)
  return place
}

function stateOf(use: DoctorFolder['use'], path: string): FolderState {
  const name = use === 'catalog' ? 'data folder' : 'temporary files'
  const facts = factsOf(path)
  const folder = {
    use,
    fileSystem: facts?.fileSystem || null,
    totalBytes: facts?.totalBytes || null,
    freeBytes: facts?.totalBytes ? facts.freeBytes : null,
  }
  try {
    rmdirSync(mkdtempSync(join(path, 'stowage-doctor-')))
  } catch (thrown) {
    const cause = fileFailure(thrown, 'write to', 'it').message.replace(/^cannot write to it: /, '')
    return {
      folder,
      check: { name, state: 'problem', found: `cannot be written to: ${cause}`, cure: CURES[use] },
    }
  }
  const free = folder.freeBytes
  if (free !== null && free < LEAST_FREE_BYTES) {
    const found = `only ${formatSize(free)} free`
    const cure = `Free some space there. ${CURES[use]}`
    return { folder, check: { name, state: 'warning', found, cure } }
  }
  const found = free === null ? 'can be written to' : `can be written to, ${formatSize(free)} free`
  return { folder, check: { name, state: 'ok', found, cure: null } }
}

function factsOf(path: string): ReturnType<typeof deviceFacts> | null {
  try {
    return deviceFacts(path)
  } catch {
    return null
  }
}
