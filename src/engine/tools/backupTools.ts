import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { runTool } from './runTool'

/** Asked for their versions they hold nothing that would have to be put in order. */
const KILL_AFTER_MS = 100

/** Deduplicating backups in a repository. */
export const borg: ExternalTool = {
  name: 'borg',
  neededFor: 'building borg repositories',
  howToGet: 'install it with "apt install borgbackup", "dnf install borgbackup" or "brew install borgbackup"',
  find: (signal) => findVersion('borg', ['--version'], /^borg (\d[\w.]*)/m, signal),
}

/** Deduplicating and encrypting backups in a repository. */
export const restic: ExternalTool = {
  name: 'restic',
  neededFor: 'building restic repositories',
  howToGet: 'install it with "apt install restic", "dnf install restic" or "brew install restic"',
  find: (signal) => findVersion('restic', ['version'], /^restic (\d[\w.]*)/m, signal),
}

async function findVersion(
  name: string,
  args: readonly string[],
  pattern: RegExp,
  signal?: AbortSignal,
): Promise<{ path: string; version: string } | null> {
  const path = await findProgram(name)
  if (!path) return null
  const { output } = await runTool(path, args, signal ? { signal, killAfterMs: KILL_AFTER_MS } : {})
  const version = pattern.exec(output)?.[1]
  return version === undefined ? null : { path, version }
}
