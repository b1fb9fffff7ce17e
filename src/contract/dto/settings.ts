export {
  DEFAULT_SETTINGS,
  SETTINGS,
  type SettingName,
  type Settings,
  settingsSchema,
} from '../../domain/settings/settings'
