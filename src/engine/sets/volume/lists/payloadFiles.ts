import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { attempt, fsPath, joinPath } from '../../../files/fileSystem'
import { COPIES } from '../planned/ownNames'
import type { PlannedVolume } from '../planned/plannedVolume'
import { haveCopies } from './recoveryTsv'

/**
 * Stowage's own files of a volume by name, as they are in the folder of the plan; of one with
 * recovery data with the copies at the end of its image, and without the recovery files.
 */
export type PayloadFiles = ReadonlyMap<string, { readonly bytes: number; readonly sha256: string }>

/** @param directory the folder of the plan */
export async function payloadFiles(
  directory: string,
  { places, payloadName }: PlannedVolume,
): Promise<PayloadFiles> {
  const path = joinPath(directory, places.payload, payloadName)
  const files = new Map<string, { bytes: number; sha256: string }>()
  await attempt('read', path, async () => {
    for (const file of await readdir(fsPath(path), 'utf8')) {
      const content = await readFile(fsPath(joinPath(path, file)))
      const sha256 = createHash('sha256').update(content).digest('hex')
      files.set(file, { bytes: content.length, sha256 })
    }
  })
  if (!haveCopies(files)) return files
  const withCopies = new Map(files)
  for (const [name, file] of files) withCopies.set(`${COPIES}/${name}`, file)
  return withCopies
}
