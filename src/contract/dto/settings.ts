export { changedPrice, priceOfLine, pricesOf } from '../../domain/media/price'
export { asDefaultRules, defaultRules } from '../../domain/settings/defaultRules'
export {
  DEFAULT_SETTINGS,
  MOST_THREADS,
  SETTINGS,
  type SettingName,
  type Settings,
  settingsSchema,
  settingText,
} from '../../domain/settings/settings'
