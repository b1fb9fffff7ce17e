import { chmod, lstat, readdir } from 'node:fs/promises'
import { pathFromBytes } from '../../../primitives/pathText'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import type { Unpacking } from './unpacker'

/**
 * Notes the members that a program has unpacked below a folder: only plain files that are really there, for links in a hostile
 * archive could lead to anything. Everything is made readable and removable, whatever permissions were unpacked with it.
 */
export async function noteUnpacked(
  folder: string,
  members: ReadonlySet<string>,
  { found }: Pick<Unpacking, 'found'>,
): Promise<void> {
  const folders = ['']
  try {
    for (const path of folders) {
      const at = joinPath(folder, path)
      if (path !== '') await chmod(fsPath(at), 0o700)
      for (const entry of await readdir(fsPath(at), { withFileTypes: true, encoding: 'buffer' })) {
        const member = joinPath(path, pathFromBytes(entry.name))
        if (entry.isDirectory()) folders.push(member)
        if (!entry.isFile() || !members.has(member)) continue
        const file = joinPath(folder, member)
        await chmod(fsPath(file), 0o600)
        const { size } = await lstat(fsPath(file))
        found(member, { file, offset: 0, bytes: size })
      }
    }
  } catch (thrown) {
    throw fileFailure(thrown, 'read', folder)
  }
}
