import { lstatSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ensureFolder } from '../engine/files/write'
import { dataFolderOf } from '../primitives/dataFolder'

const WRITABLE_BY_OTHERS = 0o022

/**
 * Keeps the code that V8 compiles, as reading it back is faster than compiling it again: where
 * nobody else can change it, for it is run. Without such a place everything goes on as before.
 */
function keepCompiled(): void {
  const { env, platform } = process
  const folder = join(dataFolderOf({ platform, homeDir: homedir(), env }), 'compiled')
  try {
    ensureFolder(folder, 0o700)
    const at = lstatSync(folder)
    const isOwn =
      process.getuid === undefined || (at.uid === process.getuid() && (at.mode & WRITABLE_BY_OTHERS) === 0)
    if (at.isDirectory() && isOwn) enableCompileCache(folder)
  } catch {
    // No folder, no cache.
  }
}

keepCompiled()
void import('./entry')
