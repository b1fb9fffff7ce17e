import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { pathFromBytes } from '../../../primitives/pathText'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import type { Unpacking } from './unpacker'

/**
 * Notes the members that a program has unpacked below a folder: only plain files that are really there, for links in a hostile
 * archive could lead to anything. Everything is made readable and removable, whatever permissions were unpacked with it.
 */
export async function noteUnpacked(
  folder: string,
  members: ReadonlySet<string>,
  { found, signal }: Pick<Unpacking, 'found' | 'signal'>,
): Promise<void> {
  const pause = pausing(() => throwIfAborted(signal))
  const folders = ['']
  try {
    for (const path of folders) {
      const at = joinPath(folder, path)
      if (path !== '') chmodSync(fsPath(at), 0o700)
      for (const entry of readdirSync(fsPath(at), { withFileTypes: true, encoding: 'buffer' })) {
        const member = joinPath(path, pathFromBytes(entry.name))
        if (entry.isDirectory()) folders.push(member)
        if (!entry.isFile() || !members.has(member)) continue
        await pause()
        const file = joinPath(folder, member)
        const { size, mode } = lstatSync(fsPath(file))
        if ((mode & 0o777) !== 0o600) chmodSync(fsPath(file), 0o600)
        found(member, { bytes: size, content: { file, offset: 0, bytes: size }, sha256: null })
      }
    }
  } catch (thrown) {
    throw fileFailure(thrown, 'read', folder)
  }
}
