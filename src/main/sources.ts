import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Source } from '../contract/rendererSchema'
import { absolutePath } from '../files/absolutePath'
import { nativePath, recoverPath } from '../files/nativePath'
import { AppError } from '../primitives/appError'
import { fileFailure } from '../primitives/fileFailure'
import { pathForDisplay } from '../primitives/pathText'
import { said } from '../primitives/said'
import type { Grants } from './ipc/grants'

/** The result of a handover: the paths that can be archived, and a failure for each that cannot. */
interface Handover {
  readonly sources: Source[]
  readonly failures: AppError[]
}

/**
 * Takes paths from a person's hand (dialog, drop, command line): finds out what they are, grants
 * reading of those that are folders or files, in the order given and each once. Never rejects.
 * @param given absolute paths, in lossless text or as Electron tells them
 */
export async function takeSources(given: readonly string[], grants: Grants): Promise<Handover> {
  const sources: Source[] = []
  const failures: AppError[] = []
  for (const each of given) {
    try {
      const source = await sourceOf(absolutePath(await recoverPath(each)))
      if (sources.some((known) => known.path === source.path)) continue
      grants.allow('read', source.path)
      sources.push(source)
    } catch (error) {
      failures.push(fileFailure(error, 'open', each))
    }
  }
  return { sources, failures }
}

async function sourceOf(file: string): Promise<Source> {
  const facts = await stat(nativePath(file))
  const name = path.basename(file) || file
  if (facts.isDirectory()) return { path: file, kind: 'folder', name }
  if (facts.isFile()) return { path: file, kind: 'file', name }
  throw new AppError(
    'special-file',
    said`cannot archive ${pathForDisplay(file)}: neither a folder nor a file`,
    {
      path: file,
    },
  )
}
