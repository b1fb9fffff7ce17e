import { existsSync } from 'node:fs'
import { DEFAULT_SETTINGS, type SettingName, type Settings } from '../domain/settings/settings'
import type { AppError } from '../primitives/appError'
import { changeFile, readText } from './atomicFile'
import { nativePath } from './nativePath'
import type { SettingsPlace } from './settingsPlace'
import type { SettingChanges, SettingsText } from './settingsText'

/** The settings that a person has set, in one file for the window and the command line. */
export interface StoredSettings extends SettingsText {
  /** The file that they are from, or would be kept in. */
  readonly file: string
}

/**
 * Reads the settings. Until the first change they may be those of an earlier version.
 * @throws AppError `bad-input`, which begins with file, line and column, for a file that is broken;
 *   and for one that cannot be read
 */
export async function readSettings({ file, earlier }: SettingsPlace): Promise<StoredSettings> {
  const text = await readText(file)
  if (text !== null) return { file, ...(await textRoom()).readSettingsText(text, file) }
  const old = await textOfEarlier(earlier)
  if (old === null) return { file, values: {}, wrong: {}, places: {}, unknown: [] }
  return { file: earlier, ...(await textRoom()).readSettingsText(old, earlier) }
}

/**
 * Changes some settings; null takes one back. What other processes set meanwhile stays, and so do
 * comments and settings of newer versions.
 * @throws AppError as `readSettings`; then nothing is changed
 */
export async function changeSettings(
  { file, earlier }: SettingsPlace,
  changes: SettingChanges,
): Promise<StoredSettings> {
  const { changedSettingsText, readSettingsText } = await textRoom()
  const old = existsSync(nativePath(file)) ? null : await textOfEarlier(earlier)
  const text = await changeFile(file, (there) => changedSettingsText(there ?? old, changes, file))
  return { file, ...readSettingsText(text, file) }
}

/** The value of a setting, or the default. @throws AppError `bad-input` when the file's is wrong */
export function settingOf<Name extends SettingName>(stored: StoredSettings, name: Name): Settings[Name] {
  const wrong: AppError | undefined = stored.wrong[name]
  if (wrong) throw wrong
  return stored.values[name] ?? DEFAULT_SETTINGS[name]
}

/** Broken ones count for nothing, as they always did, and stay where they are. */
async function textOfEarlier(earlier: string): Promise<string | null> {
  if (!existsSync(nativePath(earlier))) return null
  const { settingsTextOfJson } = await textRoom()
  try {
    return settingsTextOfJson((await readText(earlier)) ?? '', DEFAULT_SETTINGS, earlier)
  } catch {
    return null
  }
}

/** Reading YAML is loaded only where there is some. */
function textRoom(): Promise<typeof import('./settingsText')> {
  return import('./settingsText')
}
