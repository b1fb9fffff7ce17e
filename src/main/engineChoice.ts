import { AppError } from '../primitives/appError'
import type { EngineHost } from './engineHost'
import { nodeChildHost } from './nodeChildHost'
import { utilityProcessHost } from './utilityProcessHost'
import { WORDS } from './words'

/** The catalog's database module needs this version of Node-API. */
const NEEDED_NAPI = 10

/**
 * The host that can run the engine here: the Node that `STOWAGE_ENGINE_NODE` names, else Electron's utility process.
 * @throws AppError `tool-missing` when Electron is too old and no Node is named
 */
export function chooseHost(
  bundle: string,
  env: Readonly<Record<string, string | undefined>>,
  napi: string | undefined,
): EngineHost {
  const node = env['STOWAGE_ENGINE_NODE']
  if (node) return nodeChildHost(node, bundle)
  if (Number(napi ?? 0) < NEEDED_NAPI) throw new AppError('tool-missing', WORDS.engineNeedsNode)
  return utilityProcessHost(bundle)
}
