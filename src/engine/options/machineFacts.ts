import { cpus, totalmem } from 'node:os'
import type { MachineFacts } from '../../domain/options/facts'

/** @param pace how fast a core is (`machinePace`); null where it was not timed */
export function machineFacts(pace: number | null): MachineFacts {
  const system = process.platform === 'darwin' ? 'macos' : process.platform === 'win32' ? 'windows' : 'linux'
  return { system, cores: cpus().length, memoryBytes: totalmem(), pace: pace ?? undefined }
}
