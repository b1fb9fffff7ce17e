import { said } from '../../primitives/said'
import type { ExternalTool } from './externalTool'
import { findVersion } from './findVersion'

/** Deduplicating backups in a repository. */
export const borg: ExternalTool = {
  name: 'borg',
  neededFor: said`building borg repositories`,
  howToGet: said`install it with "apt install borgbackup", "dnf install borgbackup" or "brew install borgbackup"`,
  find: (signal) => findVersion('borg', '--version', /^borg (\d[\w.]*)/m, { signal }),
}

/** Deduplicating and encrypting backups in a repository. */
export const restic: ExternalTool = {
  name: 'restic',
  neededFor: said`building restic repositories`,
  howToGet: said`install it with "apt install restic", "dnf install restic" or "brew install restic"`,
  find: (signal) => findVersion('restic', 'version', /^restic (\d[\w.]*)/m, { signal }),
}
