import { z } from 'zod'
import { SETTINGS, settingText } from '../../domain/settings/settings'
import { type CommandDeclaration, form, type Words } from './declaration'

/** Every setting; of those that are words, with the words that it takes. */
const VALUES = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { schema }]): [string, Words] => [
    name,
    name === 'medium' ? 'media' : schema instanceof z.ZodEnum ? schema.options.map(String) : [],
  ]),
)
const NAMES = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, []]))

export const CONFIG_LIST = form('list', 'stowage config list', {})
const CONFIG_GET = form('get', 'stowage config get KEY', {}, NAMES)
const CONFIG_SET = form('set', 'stowage config set KEY VALUE...', {}, VALUES)
const CONFIG_UNSET = form('unset', 'stowage config unset KEY', {}, NAMES)
const CONFIG_PATH = form('path', 'stowage config path', {})

export const CONFIG_COMMAND: CommandDeclaration = {
  does: 'Shows and changes the settings, which the window and the command line share.',
  forms: [CONFIG_LIST, CONFIG_GET, CONFIG_SET, CONFIG_UNSET, CONFIG_PATH],
  notes: [
    ['precedence', 'an option of a command comes before the setting, the setting before the default'],
    ['unset', 'takes a setting back: the default holds again'],
    ['path', 'prints the path of the settings file, which may be edited by hand (YAML)'],
    ...Object.entries(SETTINGS).map(([name, { text, takes, fallback, usedBy }]): [string, string] => [
      name,
      `${text}${usedBy === 'window' ? ', in the window only' : ''}; takes ${takes} (default ${settingText(fallback)})`,
    ]),
  ],
}
