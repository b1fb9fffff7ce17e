/** The parts of a machine that decide where an application keeps its data. */
export interface Surroundings {
  readonly platform: string
  readonly homeDir: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The folder of the catalog and the log, the same for the window and the command
 * line: `STOWAGE_HOME` where it is set, else the place that the system's convention names.
 */
export function dataFolderOf({ platform, homeDir, env }: Surroundings): string {
  const chosen = env['STOWAGE_HOME']
  if (chosen) return chosen
  if (platform === 'darwin') return `${homeDir}/Library/Application Support/Stowage`
  if (platform === 'win32') return `${env['LOCALAPPDATA'] ?? `${homeDir}\\AppData\\Local`}\\Stowage`
  return `${env['XDG_DATA_HOME'] || `${homeDir}/.local/share`}/stowage`
}

/**
 * The folder of the settings file: `STOWAGE_HOME` where it is set, else the place that the system's
 * convention names for what a person configures.
 */
export function configFolderOf({ platform, homeDir, env }: Surroundings): string {
  if (env['STOWAGE_HOME'] || platform === 'darwin') return dataFolderOf({ platform, homeDir, env })
  if (platform === 'win32') return `${env['APPDATA'] || `${homeDir}\\AppData\\Roaming`}\\Stowage`
  const given = env['XDG_CONFIG_HOME']
  // The convention tells programs to ignore a relative path.
  return `${given?.startsWith('/') ? given : `${homeDir}/.config`}/stowage`
}
