import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { dataFolderOf } from '../primitives/dataFolder'

/**
 * What V8 compiles is kept, as reading it back is quicker than compiling it again: where nobody else could change it. Without a place
 * for it everything goes on as before.
 */
function keepCompiled(): void {
  const { env, platform } = process
  const folder = join(dataFolderOf({ platform, homeDir: homedir(), env }), 'compiled')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    return
  }
  enableCompileCache(folder)
}

keepCompiled()
void import('./entry')
