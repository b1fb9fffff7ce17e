import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/**
 * The first executable file of this name in the folders of PATH, or null. Windows endings are tried
 * there.
 */
export async function findProgram(
  name: string,
  path: string = process.env['PATH'] ?? '',
): Promise<string | null> {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue
    for (const ending of endings) {
      const candidate = join(folder, name + ending)
      if (await isExecutableFile(candidate)) return candidate
    }
  }
  return null
}

export async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
