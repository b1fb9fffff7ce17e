import type { TableColumn } from '../contract/tables/declaredTable'
import { priceOfLine } from '../domain/media/price'
import { resolveMedium } from '../domain/media/resolveMedium'
import {
  DEFAULT_SETTINGS,
  type SettingName,
  type Settings,
  settingText,
  settingValue,
} from '../domain/settings/settings'
import { NO_RULES } from '../domain/survey/rules/rules'
import { requireWorkFolder } from '../engine/files/workFolder'
import { mediaCatalogue } from '../engine/media/mediaCatalogue'
import { requireUsableRules } from '../engine/survey/rules/nativeRules'
import { readSettings, type StoredSettings, settingOf } from '../files/settingsFile'
import { type SettingsPlace, settingsPlace } from '../files/settingsPlace'
import { AppError } from '../primitives/appError'
import { EXIT } from '../primitives/exitCode'
import type { Units } from '../primitives/quantity'
import { showSizesIn } from './shape/sizes'
import { ownTableLines } from './shape/tableLines'
import type { Terminal } from './terminal'
import { workIn } from './workFolder'

/** Where a value is from; the first of these that has one counts. */
export type Origin = 'option' | 'project' | 'settings' | 'default'

/** A value that a command uses, and where it is from. */
export interface UsedValue<T = unknown> {
  readonly key: string
  readonly value: T
  readonly origin: Origin
  /** The option, the project file or the settings file; null for a default. */
  readonly from: string | null
}

/** The value of a setting that a command uses. */
export interface UsedSetting<T = unknown> extends UsedValue<T> {
  readonly key: SettingName
}

/** The settings that a project file gives. */
export interface ProjectSettings {
  readonly file: string
  readonly medium: string | undefined
  /** Where it is in the file: `/a/b.stowage.yaml:3:9`. */
  readonly mediumPlace: string
}

/** Checks beyond the schema of a setting. Each throws an AppError. */
const CHECKS: { readonly [Name in SettingName]?: (value: Settings[Name]) => unknown } = {
  medium: (id) => resolveMedium(mediaCatalogue, id),
  prices: (lines) => lines.map((line) => resolveMedium(mediaCatalogue, priceOfLine(line)?.mediumId ?? '')),
  'work-folder': (folder) => folder !== null && requireWorkFolder(folder),
  exclude: (patterns) => requireUsableRules({ ...NO_RULES, patterns }),
}

function check<Name extends SettingName>(name: Name, value: Settings[Name]): void {
  CHECKS[name]?.(value)
}

/** Checks a value that a person gives to a setting. @throws AppError `usage` with what it takes */
export function checkedSetting<Name extends SettingName>(
  name: Name,
  given: string | readonly string[],
  label?: string,
): Settings[Name] {
  const value = settingValue(name, given, label)
  check(name, value)
  return value
}

export function placeOfSettings({ surroundings }: Pick<Terminal, 'surroundings'>): SettingsPlace {
  return settingsPlace(surroundings)
}

/** The settings for one command. @throws AppError `bad-input` for a broken file */
export async function openSettings(
  out: Pick<Terminal, 'note' | 'surroundings'>,
  project: ProjectSettings | null = null,
): Promise<CommandSettings> {
  const stored = await readSettings(placeOfSettings(out))
  for (const line of stored.unknown) out.note(line)
  return new CommandSettings(stored, project)
}

export class CommandSettings {
  readonly stored: StoredSettings
  readonly #project: ProjectSettings | null

  /** @param project comes before the settings and after options */
  constructor(stored: StoredSettings, project: ProjectSettings | null = null) {
    this.stored = stored
    this.#project = project
  }

  /**
   * The value of a setting for a command.
   * @param given the option that the command line gives instead
   * @param fallback the command's own default
   * @throws AppError `usage` for the option, `bad-input` for the file
   */
  used<Name extends SettingName>(
    key: Name,
    given?: { readonly option: string; readonly text: string | undefined },
    fallback?: Settings[Name],
  ): UsedSetting<Settings[Name]> {
    if (given?.text !== undefined) {
      const value = checkedSetting(key, given.text, given.option)
      return { key, value, origin: 'option', from: given.option }
    }
    const own = key === 'medium' ? this.#project?.medium : undefined
    if (this.#project && own !== undefined) {
      const { file, mediumPlace } = this.#project
      const value = settingValue(key, own)
      checkAt(key, value, { file, place: mediumPlace })
      return { key, value, origin: 'project', from: file }
    }
    const value = settingOf(this.stored, key)
    if (this.stored.values[key] === undefined)
      return { key, value: fallback ?? value, origin: 'default', from: null }
    checkAt(key, value, { file: this.stored.file, place: this.stored.places[key] })
    return { key, value, origin: 'settings', from: this.stored.file }
  }
}

function checkAt<Name extends SettingName>(
  key: Name,
  value: Settings[Name],
  { file, place }: { readonly file: string; readonly place: string | undefined },
): void {
  try {
    check(key, value)
  } catch (thrown) {
    throw new AppError('bad-input', `${place}: ${AppError.from(thrown).message}`, { path: file })
  }
}

/**
 * Applies the settings that hold for every command: the unit of sizes, and the folder for temporary
 * files. A broken file keeps nothing from being shown: it is named with the first size.
 */
export async function applySettings(out: Pick<Terminal, 'note' | 'surroundings'>): Promise<void> {
  const stored = await readSettings(placeOfSettings(out)).catch((thrown: unknown) => AppError.from(thrown))
  let units: Units | null = null
  showSizesIn(() => {
    if (units !== null) return units
    units = DEFAULT_SETTINGS.units
    try {
      if (stored instanceof AppError) throw stored
      units = settingOf(stored, 'units')
    } catch (thrown) {
      out.note(`${AppError.from(thrown).message}; sizes are shown in GB`)
    }
    return units
  })
  workIn(() => {
    if (stored instanceof AppError) return null
    return new CommandSettings(stored).used('work-folder').value
  })
}

/** The answer to `--print-config`: what a command would use, and where each value is from. */
export function printConfig(used: readonly UsedValue[], out: Terminal): number {
  out.document({ schema: 'stowage.settings/1', settings: used })
  out.lines(ownTableLines(USED_COLUMNS, used))
  return EXIT.done
}

const USED_COLUMNS: readonly TableColumn<UsedValue, string>[] = [
  { heading: 'setting', kind: 'words', of: ({ key }) => key },
  { heading: 'value', kind: 'name', of: ({ value }) => settingText(value) },
  { heading: 'from', kind: 'name', of: ({ from }) => from ?? 'default' },
]
