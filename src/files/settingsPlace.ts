import path from 'node:path'
import { configFolderOf, dataFolderOf, type Surroundings } from '../primitives/dataFolder'

/** Where settings are kept, and where earlier versions kept them. */
export interface SettingsPlace {
  readonly file: string
  readonly earlier: string
}

export function settingsPlace(surroundings: Surroundings): SettingsPlace {
  return {
    file: path.resolve(configFolderOf(surroundings), 'settings.yaml'),
    earlier: path.resolve(dataFolderOf(surroundings), 'settings.json'),
  }
}
