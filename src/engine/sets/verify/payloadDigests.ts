import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { type PlanFolder, payloadNameOf, placesOf } from '../planFolder'

/** Stowage's own files of a volume as they lie in the folder of the plan: name, size and digest of each. */
export async function payloadDigests(
  folder: PlanFolder,
  volumeIndex: number,
): Promise<{ name: string; files: Map<string, { bytes: number; sha256: string }> }> {
  const name = await payloadNameOf(folder, volumeIndex)
  const path = joinPath(folder.directory, placesOf(folder, volumeIndex).payload, name)
  const files = new Map<string, { bytes: number; sha256: string }>()
  try {
    for (const file of await readdir(fsPath(path), 'utf8')) {
      const content = await readFile(fsPath(joinPath(path, file)))
      const sha256 = createHash('sha256').update(content).digest('hex')
      files.set(file, { bytes: content.length, sha256 })
    }
  } catch (thrown) {
    throw fileFailure(thrown, 'read', path)
  }
  return { name, files }
}
