import { DEFAULT_SETTINGS, type Settings } from '../contract/dto/settings'
import { changeSettings, readSettings, type StoredSettings } from '../files/settingsFile'
import type { SettingsPlace } from '../files/settingsPlace'
import { AppError } from '../primitives/appError'

/** The settings of a person, which the command line has too. */
export interface SettingsStore {
  readonly current: Settings
  readonly file: string
  /** The faults of the file; where it has one, the default holds. */
  readonly failures: readonly AppError[]
  /**
   * Changes some of them; the new whole is on disk when this resolves, with what the command line
   * has set meanwhile. Changes are written one after another.
   * @throws AppError when they cannot be kept; until the end of the program they hold all the same
   */
  save(changes: Partial<Settings>): Promise<Settings>
}

/** Reads the settings. A file that is broken stays as it is, for a person to correct. */
export async function openSettings(place: SettingsPlace): Promise<SettingsStore> {
  const failures: AppError[] = []
  let current = DEFAULT_SETTINGS
  const take = (stored: StoredSettings): void => {
    current = { ...DEFAULT_SETTINGS, ...stored.values }
  }
  try {
    const stored = await readSettings(place)
    take(stored)
    failures.push(...Object.values(stored.wrong))
  } catch (error) {
    failures.push(AppError.from(error))
  }
  let lastWrite: Promise<unknown> = Promise.resolve()
  return {
    get current() {
      return current
    },
    file: place.file,
    failures,
    async save(changes) {
      current = { ...current, ...changes }
      const write = lastWrite.catch(() => {}).then(() => changeSettings(place, changes))
      lastWrite = write
      const stored = await write
      // A later change is not in it yet.
      if (lastWrite === write) take(stored)
      return current
    },
  }
}
