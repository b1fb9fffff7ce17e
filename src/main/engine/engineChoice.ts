import path from 'node:path'
import { AppError } from '../../primitives/appError'
import { WORDS } from '../words'
import type { EngineHost } from './engineHost'
import { modernNode, NEEDED_NAPI } from './modernNode'
import { nodeChildHost } from './nodeChildHost'
import { utilityProcessHost } from './utilityProcessHost'

/**
 * The host that can run the engine here: the Node that `STOWAGE_ENGINE_NODE` names, else Electron's
 * utility process.
 * @throws AppError `tool-missing` when Electron is too old and no Node is named, or that Node is
 *   too old and no other is found
 */
export function chooseHost(
  bundle: string,
  env: Readonly<Record<string, string | undefined>>,
  napi: string | undefined,
): EngineHost {
  const node = env['STOWAGE_ENGINE_NODE']
  if (node) return nodeChildHost(modernNode(node, path.dirname(bundle)), bundle)
  if (Number(napi ?? 0) < NEEDED_NAPI) throw new AppError('tool-missing', WORDS.engineNeedsNode)
  return utilityProcessHost(bundle)
}
