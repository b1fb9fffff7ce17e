import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { AppError } from '../../primitives/appError'

/** The catalog's database module needs this version of Node-API: Node 22.14, Electron 36. */
export const NEEDED_NAPI = 10

/**
 * The Node that runs the engine: the one asked for, or where that is too old the one that came with
 * Stowage.
 * @param folder where the engine's bundle is
 * @throws AppError `tool-missing` that names the version found and how to get another
 */
export function modernNode(asked: string, folder: string): string {
  const installed = installedNode(folder)
  // Asking a Node for its version starts it once more than needed, and the window waits meanwhile.
  if (asked === installed) return asked
  const { napi, version } = versionsOf(asked)
  // One that cannot be started is reported with the system's own words when it is.
  if (version === null || napi >= NEEDED_NAPI) return asked
  if (installed !== null && versionsOf(installed).napi >= NEEDED_NAPI) return installed
  throw new AppError(
    'tool-missing',
    `${asked} is Node ${version}, and the engine needs Node 24. Run npm install, which brings one, or set STOWAGE_ENGINE_NODE to the path of a Node 24 executable.`,
  )
}

function versionsOf(node: string): { napi: number; version: string | null } {
  const script = 'process.versions.napi + " " + process.versions.node'
  const { stdout, status } = spawnSync(node, ['-p', script], { encoding: 'utf8', windowsHide: true })
  const [napi, version] = status === 0 ? stdout.trim().split(' ') : []
  return { napi: Number(napi ?? 0), version: version ?? null }
}

/**
 * The Node that came with Stowage: in a package `node/bin/node` next to `app.asar.unpacked`, else
 * that of npm's platform package in a `node_modules` of this folder or one above; null without one.
 */
export function installedNode(folder: string): string | null {
  const { platform, arch } = process
  const program = path.join('bin', platform === 'win32' ? 'node.exe' : 'node')
  const npmPackage = path.join('node_modules', `node-${platform === 'win32' ? 'win' : platform}-${arch}`)
  for (let above = folder; ; above = path.dirname(above)) {
    const isPacked = path.basename(above) === 'app.asar.unpacked'
    const node = path.join(above, isPacked ? path.join('..', 'node') : npmPackage, program)
    if (existsSync(node)) return node
    if (path.dirname(above) === above) return null
  }
}
