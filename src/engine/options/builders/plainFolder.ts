import { linkSync, mkdirSync } from 'node:fs'
import { chmod, lstat, mkdir } from 'node:fs/promises'
import { type CopiedEntry, copyEntries } from '../../files/copy'
import { attempt, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { ownMeter } from '../../tools/toolMeter'
import { entriesOf } from './buildSource'
import { equalFiles } from './equalFiles'
import { measuredBuild } from './measuredBuild'
import type { BuildRequest, OptionBuilder } from './optionBuilder'
import { OWN_TOOL } from './ownTool'

/** Files as they are, in a folder. */
export const plainFolder: OptionBuilder<'plain'> = {
  tool: null,
  async build(request) {
    const withLinks = request.recipe.hardLinks
    const { made: notes, figures } = await measuredBuild(request, ownMeter(), () => copy(request, withLinks))
    return {
      ...OWN_TOOL,
      command: withLinks ? 'copy, duplicate files as hard links' : 'copy',
      ...figures,
      repeatable: true,
      notes,
    }
  },
}

/** Copies everything with modes and times. */
async function copy(request: BuildRequest, withLinks: boolean): Promise<string[]> {
  const { files, folders = [], path, signal } = request
  const equal = withLinks ? await equalFiles(files, signal) : new Map<number, number>()
  const repeated = new Map([...equal].map(([index, first]) => [files[index]?.path, files[first]?.path]))
  const entries = entriesOf(request)
  await makeFolder(path)
  const copied: CopiedEntry[] = entries.filter((entry) => !repeated.has(entry.path) && entry.path !== '')
  await copyEntries(copied, path, { signal, onBytes: (done) => request.onProgress(done) })
  let copiesForLinks = 0
  const pause = pausing(() => throwIfAborted(signal))
  for (const [index, first] of equal) {
    await pause()
    const [from, to] = [files[first]?.path ?? '', files[index]?.path ?? '']
    mkdirSync(fsPath(joinPath(path, to).replace(/\/[^/]*$/s, '')), { recursive: true })
    try {
      linkSync(fsPath(joinPath(path, from)), fsPath(joinPath(path, to)))
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EMLINK')
        throw fileFailure(thrown, 'write', joinPath(path, to))
      copiesForLinks += 1
      const whole = entries.filter((entry) => entry.kind === 'file' && entry.path === to)
      await copyEntries(whole, path, { signal, onBytes: () => undefined })
    }
  }
  await copyModes(folders, path)
  if (equal.size === 0) return []
  const linked = `${equal.size - copiesForLinks} files are hard links, which have the mode and time of the first`
  return copiesForLinks === 0
    ? [linked]
    : [linked, `${copiesForLinks} copies: the file system allows no more links`]
}

/**
 * Folders keep their modes, but whoever made them may always write in them: else they could not be
 * removed again.
 */
async function copyModes(folders: NonNullable<BuildRequest['folders']>, to: string): Promise<void> {
  for (const { source, path } of folders.toReversed()) {
    if (path === '') continue
    const { mode } = await attempt('read', source, lstat(fsPath(source)))
    await chmod(fsPath(joinPath(to, path)), (mode & 0o777) | 0o700)
  }
}

/** @throws AppError `exists`, `no-space`, … */
export async function makeFolder(path: string): Promise<void> {
  await attempt('make the folder', path, mkdir(fsPath(path)))
}
