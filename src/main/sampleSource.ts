import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sampleTree } from '../primitives/sampleTree'
import { fileFailure } from './fileFailure'
import { WORDS } from './words'

/**
 * The folder of the sample source in the data folder, made when it is not there yet. It appears whole or not at all.
 * @throws AppError naming the folder that could not be written
 */
export async function ensureSampleSource(dataDir: string): Promise<string> {
  const folder = path.join(dataDir, WORDS.sampleFolder)
  if (await isFolder(folder)) return folder
  const partial = `${folder}.partial`
  try {
    await rm(partial, { recursive: true, force: true })
    for (const { path: name, content } of sampleTree()) {
      const file = path.join(partial, name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
    }
    await rename(partial, folder)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw fileFailure('write', folder, error)
  }
  return folder
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
}
