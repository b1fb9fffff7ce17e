import { changedSettings } from '../../domain/doctor/changedSettings'
import type { DoctorState } from '../../domain/doctor/doctorDocument'
import { doctorText } from '../../domain/doctor/doctorText'
import type { Settings } from '../../domain/settings/settings'
import { doctor } from '../../engine/doctor/doctor'
import { useWorkFolder } from '../../engine/files/workFolder'
import { AppError } from '../../primitives/appError'
import { dataFolderOf } from '../../primitives/dataFolder'
import { EXIT } from '../../primitives/exitCode'
import { noPositionals, readArguments } from '../arguments'
import { DOCTOR } from '../declarations/catalog'
import { openSettings } from '../settings'
import type { Terminal } from '../terminal'

/** Warnings leave something out of what is done; a problem means that a check failed. */
const EXITS: Readonly<Record<DoctorState, number>> = {
  ok: EXIT.done,
  warning: EXIT.doneWithSkips,
  problem: EXIT.verificationFailed,
}

export async function doctorCommand(args: readonly string[], out: Terminal): Promise<number> {
  noPositionals(readArguments(args, DOCTOR).positionals, 'doctor')
  const { values, faults } = await settingsState(out)
  try {
    useWorkFolder(values['work-folder'] ?? null)
  } catch (thrown) {
    faults.push(AppError.from(thrown).message)
  }
  const dataDir = dataFolderOf(out.surroundings)
  const request = {
    settings: changedSettings(values),
    settingsFaults: faults,
    electron: null,
    duckdb: out.surroundings.env['STOWAGE_DUCKDB'] ?? null,
  }
  const document = await doctor(dataDir, request)
  out.document(document)
  out.lines(doctorText(document))
  return EXITS[document.state]
}

/** The settings as far as they can be read: a broken file is one of the things to report. */
async function settingsState(
  out: Terminal,
): Promise<{ readonly values: Partial<Settings>; readonly faults: string[] }> {
  try {
    const { stored } = await openSettings(out)
    return { values: stored.values, faults: Object.values(stored.wrong).map(({ message }) => message) }
  } catch (thrown) {
    return { values: {}, faults: [AppError.from(thrown).message] }
  }
}
