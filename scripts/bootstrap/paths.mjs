import { existsSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's top folder. */
export const ROOT = resolve(fileURLToPath(import.meta.url), '../../..')
/** Everything the bootstrap writes besides `node_modules`, `dist` and `build`. */
export const CACHE = join(ROOT, '.cache')

/** The path of a program on PATH, or null. Nothing is started. */
export function findCommand(name) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']
  const folders = (process.env.PATH ?? '').split(delimiter)
  // A person's PATH may lack the folders in which the system keeps its programs.
  if (process.platform !== 'win32') folders.push('/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin')
  for (const folder of folders) {
    if (folder === '') continue
    for (const ending of endings) {
      const path = join(folder, name + ending)
      if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path
    }
  }
  return null
}

/** Node 24 or newer: the npm platform package's, else the one running this when it is new enough, else null. */
export function modernNode() {
  const packaged = join(
    ROOT,
    'node_modules',
    `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  if (existsSync(packaged)) return packaged
  return Number(process.versions.node.split('.')[0]) >= 24 ? process.execPath : null
}

/** Whether a window can be shown. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}
