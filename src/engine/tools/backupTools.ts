import type { ExternalTool, FoundTool } from './externalTool'
import { findProgram } from './findProgram'
import { statedVersion } from './statedVersion'

/** Asked for their versions they hold nothing that would have to be put in order. */
const KILL_AFTER_MS = 100

/** Deduplicating backups in a repository. */
export const borg: ExternalTool = {
  name: 'borg',
  neededFor: 'building borg repositories',
  howToGet: 'install it with "apt install borgbackup", "dnf install borgbackup" or "brew install borgbackup"',
  find: (signal) => found('borg', ['--version'], /^borg (\d[\w.]*)/m, signal),
}

/** Deduplicating and encrypting backups in a repository. */
export const restic: ExternalTool = {
  name: 'restic',
  neededFor: 'building restic repositories',
  howToGet: 'install it with "apt install restic", "dnf install restic" or "brew install restic"',
  find: (signal) => found('restic', ['version'], /^restic (\d[\w.]*)/m, signal),
}

async function found(
  name: string,
  args: readonly string[],
  pattern: RegExp,
  signal?: AbortSignal,
): Promise<FoundTool | null> {
  const run = signal ? { signal, killAfterMs: KILL_AFTER_MS } : {}
  return statedVersion(await findProgram(name), args, pattern, run)
}
