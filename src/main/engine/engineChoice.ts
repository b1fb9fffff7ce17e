import path from 'node:path'
import { AppError } from '../../primitives/appError'
import type { EngineHost } from './engineHost'
import { modernNode, NEEDED_NAPI } from './modernNode'
import { nodeChildHost } from './nodeChildHost'
import { utilityProcessHost } from './utilityProcessHost'

const ENGINE_NEEDS_NODE =
  'This Electron is older than the catalog’s database needs (Node-API 10). Set STOWAGE_ENGINE_NODE to the path of a Node 24 executable, or use Electron 36 or newer.'

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
  if (Number(napi ?? 0) < NEEDED_NAPI) throw new AppError('tool-missing', ENGINE_NEEDS_NODE)
  return utilityProcessHost(bundle)
}
