import path from 'node:path'
import process from 'node:process'
import { ensureElectron } from '../../scripts/electronRuntime.mjs'

/** The repository's top folder. */
export const PROJECT = path.resolve(import.meta.dirname, '../..')

/** How to start Electron here: the executable, and the switches that this user needs. */
export interface Runtime {
  readonly executable: string
  readonly version: string
  /** Chromium's own sandbox cannot be set up by root; for everybody else it stays on. */
  readonly switches: readonly string[]
}

export async function electronRuntime(): Promise<Runtime> {
  const { executable, version } = await ensureElectron()
  return { executable, version, switches: process.getuid?.() === 0 ? ['--no-sandbox'] : [] }
}

/**
 * The environment for a test's Electron: ours without what would turn it into a plain Node, on the given display, with
 * its data in a folder of its own and the engine on this Node.
 */
export function electronEnvironment(options: { display: string; home: string }): Record<string, string> {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...inherited } = process.env
  return {
    ...(inherited as Record<string, string>),
    DISPLAY: options.display,
    STOWAGE_HOME: options.home,
    STOWAGE_ENGINE_NODE: process.execPath,
  }
}
