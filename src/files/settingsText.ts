import { type Document, isMap, isScalar } from 'yaml'
import {
  isSettingName,
  type SettingName,
  type Settings,
  settingValue,
  unknownSetting,
} from '../domain/settings/settings'
import { AppError } from '../primitives/appError'
import { said } from '../primitives/said'
import { keyOf, parseYaml, removeItem, valueOf, type YamlText, yamlTextOf } from './yamlText'

/** The settings in a text. Messages begin with file, line and column. */
export interface SettingsText {
  /** The sound ones. */
  readonly values: Partial<Settings>
  /** The faults of values, by setting. */
  readonly wrong: Partial<Record<SettingName, AppError>>
  /** Where the value of each setting is: `/a/settings.yaml:3:8`. */
  readonly places: Partial<Record<SettingName, string>>
  /** One line for each name that no setting has. */
  readonly unknown: readonly string[]
}

/** The changes to settings: null takes a value back. */
export type SettingChanges = { readonly [Name in SettingName]?: Settings[Name] | null }

const HEADER = ' The settings of Stowage: "stowage config list" explains each.'

/**
 * Reads settings that a person may have written as YAML or JSON.
 * @throws AppError `bad-input`, one line that begins with file, line and column
 */
export function readSettingsText(text: string, file: string): SettingsText {
  const { document, placeOf } = parsed(text, file)
  const values: Record<string, unknown> = {}
  const wrong: SettingsText['wrong'] = {}
  const places: SettingsText['places'] = {}
  const unknown: string[] = []
  for (const { key, value } of isMap(document.contents) ? document.contents.items : []) {
    const name = keyOf(key, document)
    if (!isSettingName(name)) {
      unknown.push(`${placeOf(key)}: ${unknownSetting(name)}`)
      continue
    }
    const place = placeOf(value)
    places[name] = place
    try {
      const given = valueOf(value, document)
      // A name without a value is as good as none.
      if (given !== null) values[name] = settingValue(name, given)
    } catch (thrown) {
      wrong[name] = new AppError('bad-input', said`${place}: ${AppError.from(thrown).message}`, {
        path: file,
      })
    }
  }
  return { values, wrong, places, unknown }
}

/**
 * The text with some settings changed. Comments, the order and what is unknown stay.
 * @param text null for a new file
 * @throws AppError as `readSettingsText`
 */
export function changedSettingsText(text: string | null, changes: SettingChanges, file: string): string {
  const { document } = parsed(text ?? '', file)
  if (text === null) document.commentBefore = HEADER
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue
    if (value === null) takeBack(document, name)
    else document.set(name, value)
  }
  return yamlTextOf(document, text)
}

/** Removes a setting. */
function takeBack(document: Document, name: string): void {
  const { contents } = document
  if (!isMap(contents)) return
  const index = contents.items.findIndex(({ key }) => isScalar(key) && key.value === name)
  if (index >= 0) removeItem(contents, index, document)
  // Written as `{}`, it would stay on one line for ever.
  if (contents.items.length === 0 && contents.flow !== true) document.contents = null
}

/** The settings of a version that kept them as JSON, as the text of today's file. */
export function settingsTextOfJson(text: string, defaults: Settings, file: string): string {
  const old = JSON.parse(text) as unknown
  if (typeof old !== 'object' || old === null || Array.isArray(old)) return ''
  const { mediumId, ...rest } = old as Readonly<Record<string, unknown>>
  const document = parsed('', file).document
  document.commentBefore = HEADER
  for (const [name, value] of Object.entries({
    ...rest,
    ...(mediumId !== undefined && { medium: mediumId }),
  })) {
    // That version wrote all settings, also those that nobody had changed.
    if (!isSettingName(name) || value !== defaults[name]) document.set(name, document.createNode(value))
  }
  return document.toString({ lineWidth: 0 })
}

function parsed(text: string, file: string): YamlText {
  return parseYaml(text, file, 'each setting is a line "name: value"')
}
