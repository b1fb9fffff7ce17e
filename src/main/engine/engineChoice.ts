import path from 'node:path'
import { AppError } from '../../primitives/appError'
import type { EngineHost } from './engineHost'
import { installedNode, modernNode, NEEDED_NAPI } from './modernNode'
import { nodeChildHost } from './nodeChildHost'
import { utilityProcessHost } from './utilityProcessHost'

const ENGINE_NEEDS_NODE =
  'This Electron is older than the catalog’s database needs (Node-API 10). Set STOWAGE_ENGINE_NODE to the path of a Node 24 executable, or use Electron 36 or newer.'

/**
 * The host that can run the engine here: the Node that `STOWAGE_ENGINE_NODE` names, else Electron's
 * utility process, or where Electron is too old for that the Node that came with Stowage.
 * @throws AppError `tool-missing` when Electron is too old and no Node is found, or the one that is
 *   named is too old and no other is found
 */
export function chooseHost(
  bundle: string,
  env: Readonly<Record<string, string | undefined>>,
  napi: string | undefined,
): EngineHost {
  const folder = path.dirname(bundle)
  const asked = env['STOWAGE_ENGINE_NODE']
  if (asked) return nodeChildHost(modernNode(asked, folder), bundle)
  if (Number(napi ?? 0) >= NEEDED_NAPI) return utilityProcessHost(bundle)
  const installed = installedNode(folder)
  if (installed === null) throw new AppError('tool-missing', ENGINE_NEEDS_NODE)
  return nodeChildHost(installed, bundle)
}
