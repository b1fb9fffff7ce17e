import { lstatSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { said } from '../../../primitives/said'
import { attempt, cannot, fsPath, joinPath, lstatAt } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import { folderOf } from '../../files/write'
import { pausing } from '../../jobs/slowly'

const MEANWHILE = '.stowage-build'

/**
 * Calls `use` with a path that every program can be given, whatever bytes are in `path`; what is
 * made there takes its place when `use` has ended well.
 * @param ending what programs want to see at the end of a name, such as `.7z`
 * @throws AppError `tool-failed` where `use` ended well and nothing was made, and those of `use`
 */
export async function builtAt<T>(
  path: string,
  ending: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = folderOf(path)
  const name = MEANWHILE + ending
  const result = await withToolDirectory(folder, (directory) => use(joinPath(directory, name)))
  const made = joinPath(folder, name)
  if (lstatAt(made) === null)
    throw cannot('tool-failed', 'build', path, said`its program reported success, but made no file`)
  await attempt('write', path, rename(fsPath(made), fsPath(path)))
  return result
}

/** The bytes of a file, or of all files below a folder; those of a file with several names once. */
export async function builtBytes(path: string): Promise<number> {
  const seen = new Set<string>()
  const pause = pausing(() => undefined)
  const add = async (at: Buffer): Promise<number> => {
    await pause()
    const stats = lstatSync(at)
    if (stats.isDirectory()) {
      let bytes = 0
      for (const name of await readdir(at, { encoding: 'buffer' }))
        bytes += await add(Buffer.concat([at, Buffer.from('/'), name]))
      return bytes
    }
    const key = `${stats.dev}:${stats.ino}`
    if (!stats.isFile() || seen.has(key)) return 0
    if (stats.nlink > 1) seen.add(key)
    return stats.size
  }
  return attempt('read', path, add(fsPath(path)))
}
