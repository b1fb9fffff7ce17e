import { mkdir } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import { borg } from '../../tools/backupTools'
import { requireTool } from '../../tools/externalTool'
import { type ToolResult, toolFailure } from '../../tools/runTool'
import { canBeArgument, commonFolder } from './byProgram'
import { unpackToolTar } from './tar'
import type { Unpack, Unpacking } from './unpacker'

/** The exit code of borg when it has only warned, for example of names that it did not find. */
const WARNED = 1

/**
 * Unpacks members of the archive "source" in a repository of borg 1, which may be on a read-only
 * disc.
 */
export const unpackBorg: Unpack<'borg', string> = async (repository, members, work) => {
  const links = await unpackFrom(repository, members, work)
  if (links.size === 0) return
  // Further names of files whose first names are not wanted.
  const firsts = new Set(links.values())
  const scratch = await newFolder(work.scratch(), 'first-names')
  await unpackFrom(repository, firsts, {
    ...work,
    scratch: () => scratch,
    found(first, found) {
      for (const [member, target] of links) if (target === first) work.found(member, found)
    },
  })
}

async function unpackFrom(
  repository: string,
  members: ReadonlySet<string>,
  work: Unpacking,
): Promise<ReadonlyMap<string, string>> {
  const { password, signal } = work
  const tool = await requireTool(borg, signal)
  const home = await newFolder(work.scratch(), 'home')
  const input = password && Buffer.from(password)
  try {
    const { result, links } = await withToolDirectory(repository, (cwd) =>
      withToolDirectory(home, (base) => {
        const env = {
          BORG_BASE_DIR: base,
          BORG_REPO: cwd,
          BORG_PASSPHRASE_FD: '0',
          BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
          BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
        }
        const args = ['--bypass-lock', 'export-tar', '::source', '-', ...pathsOf(members)]
        return unpackToolTar(tool.path, args, { env, signal, ...(input ? { input } : {}) }, members, work)
      }),
    )
    if (result && result.exitCode > WARNED) throw failureOf(result)
    return links
  } finally {
    input?.fill(0)
  }
}

/** The paths that limit what borg reads; none means all. */
function pathsOf(members: ReadonlySet<string>): string[] {
  const [only] = members
  if (members.size === 1 && only !== undefined && canBeArgument(only)) return [`pf:${only}`]
  const folder = commonFolder(members)
  return folder === '' ? [] : [`pp:${folder}`]
}

async function newFolder(scratch: string, name: string): Promise<string> {
  const path = joinPath(scratch, name)
  await attempt('make the folder', path, mkdir(fsPath(path)))
  return path
}

function failureOf(result: ToolResult): AppError {
  if (result.errorLines.some((line) => /passphrase supplied|passphrase is incorrect/i.test(line)))
    return new AppError('wrong-password', said`cannot unpack the repository: the password is wrong`)
  return toolFailure('borg', 'unpack the repository', result)
}
