import type { TableColumn } from '../../contract/tables/declaredTable'
import {
  isList,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  settingNamed,
  settingText,
} from '../../domain/settings/settings'
import { changeSettings } from '../../files/settingsFile'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { noPositionals, onlyPositional, readArguments } from '../arguments'
import { CONFIG_LIST } from '../declarations/settings'
import { CommandSettings, checkedSetting, openSettings, placeOfSettings } from '../settings'
import { nextCommand } from '../shape/nextCommand'
import { ownTableLines } from '../shape/tableLines'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'

const VERBS = ['list', 'get', 'set', 'unset', 'path']

/** `stowage config`: the settings that the window and the command line share. */
export async function configCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { positionals } = readArguments(args, CONFIG_LIST)
  const [verb, ...rest] = positionals
  switch (verb) {
    case 'list':
      noPositionals(rest, 'config list')
      return list(out)
    case 'get':
      return get(settingNamed(onlyPositional(rest, 'setting')), out)
    case 'set':
      return set(rest, out)
    case 'unset':
      return unset(settingNamed(onlyPositional(rest, 'setting')), out)
    case 'path':
      noPositionals(rest, 'config path')
      return path(out)
    default: {
      if (verb !== undefined) throw unknownName('action', verb, VERBS)
      throw new AppError('usage', `action is missing: one of ${VERBS.join(', ')}`)
    }
  }
}

const SETTING_COLUMNS: readonly TableColumn<ReturnType<CommandSettings['used']>, string>[] = [
  { heading: 'setting', kind: 'words', of: ({ key }) => key },
  { heading: 'value', kind: 'name', of: ({ value }) => settingText(value) },
  { heading: 'from', kind: 'words', of: ({ origin }) => origin },
  {
    heading: 'what it is',
    kind: 'words',
    of: ({ key }) =>
      SETTINGS[key].usedBy === 'window' ? `${SETTINGS[key].text} (window only)` : SETTINGS[key].text,
  },
]

async function list(out: Terminal): Promise<number> {
  const settings = await openSettings(out)
  const { file } = settings.stored
  const used = SETTING_NAMES.map((name) => settings.used(name))
  out.document({ schema: 'stowage.settings/1', file, settings: used })
  out.lines(ownTableLines(SETTING_COLUMNS, used))
  out.line()
  out.line(`The settings file is ${pathForDisplay(file)}.`)
  out.lines(nextCommand('To change one:', ['config', 'set', 'units', 'binary']))
  return EXIT.done
}

async function get(name: SettingName, out: Terminal): Promise<number> {
  const settings = await openSettings(out)
  const used = settings.used(name)
  out.document({ schema: 'stowage.settings/1', file: settings.stored.file, settings: [used] })
  out.line(pathForDisplay(settingText(used.value)))
  return EXIT.done
}

async function set(rest: readonly string[], out: Terminal): Promise<number> {
  const [key, text, ...more] = rest
  if (key === undefined) throw new AppError('usage', 'setting and value are missing')
  const name = settingNamed(key)
  if (text === undefined)
    throw new AppError('usage', `value is missing: ${name} takes ${SETTINGS[name].takes}`)
  if (!isList(name)) noPositionals(more, `config set ${name}`)
  return changed(name, checkedSetting(name, isList(name) ? [text, ...more] : text), out)
}

function unset(name: SettingName, out: Terminal): Promise<number> {
  return changed(name, null, out)
}

async function changed(name: SettingName, value: unknown, out: Terminal): Promise<number> {
  const stored = await changeSettings(placeOfSettings(out), { [name]: value })
  const used = new CommandSettings(stored).used(name)
  out.document({ schema: 'stowage.settings/1', file: stored.file, settings: [used] })
  const origin = used.origin === 'default' ? ' (default)' : ''
  out.line(
    `${name} is now ${pathForDisplay(settingText(used.value))}${origin}: ${pathForDisplay(stored.file)}`,
  )
  return EXIT.done
}

async function path(out: Terminal): Promise<number> {
  const { file } = placeOfSettings(out)
  out.document({ schema: 'stowage.settings/1', file, settings: [] })
  out.line(file)
  return EXIT.done
}
