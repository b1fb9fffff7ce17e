import { DEFAULT_SETTINGS, SETTING_NAMES, type Settings, settingText } from '../settings/settings'
import type { ChangedSetting } from './doctorDocument'

/** Settings whose values are words of the person. */
const PERSONAL: ReadonlySet<string> = new Set(['work-folder', 'exclude'])

/** The settings that are not as they come. Words of the person are not given, only their count. */
export function changedSettings(settings: Partial<Settings>): ChangedSetting[] {
  return SETTING_NAMES.flatMap((key) => {
    const value = settings[key]
    const text = settingText(value ?? DEFAULT_SETTINGS[key])
    if (value === undefined || text === settingText(DEFAULT_SETTINGS[key])) return []
    if (!PERSONAL.has(key)) return [{ key, value: text }]
    return [
      {
        key,
        value: Array.isArray(value) ? `${value.length} of the person’s own` : 'a folder of the person’s own',
      },
    ]
  })
}
