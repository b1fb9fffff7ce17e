import { readFile } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { fsPath, joinPath } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import { restic } from '../../tools/backupTools'
import { requireTool } from '../../tools/externalTool'
import { type ToolResult, toolFailure } from '../../tools/runTool'
import { commonFolder } from './byProgram'
import { unpackToolTar } from './tar'
import type { Unpack } from './unpacker'

/** In a repository that needs no password of the person's: says how to open it. */
const README = 'README.txt'

/**
 * Unpacks members of the only snapshot of a restic repository, which may be on a read-only disc.
 */
export const unpackRestic: Unpack<'restic', string> = async (repository, members, work) => {
  const { signal } = work
  const tool = await requireTool(restic, signal)
  const input = Buffer.from(work.password ?? (await writtenPassword(repository)))
  try {
    const result = await withToolDirectory(repository, async (cwd) => {
      // Without these restic reads the password from its standard input.
      const env = {
        RESTIC_REPOSITORY: cwd,
        RESTIC_PASSWORD: '',
        RESTIC_PASSWORD_FILE: '',
        RESTIC_PASSWORD_COMMAND: '',
      }
      const args = ['--quiet', '--no-cache', '--no-lock', 'dump', 'latest', `/${commonFolder(members)}`]
      return (await unpackToolTar(tool.path, args, { env, signal, input }, members, work)).result
    })
    if (result && result.exitCode !== 0) throw failureOf(result)
  } finally {
    input.fill(0)
  }
}

async function writtenPassword(repository: string): Promise<string> {
  const path = joinPath(repository, README)
  const text = await readFile(fsPath(path), 'latin1').catch(() => '')
  const password = /^Password: (\S+)$/m.exec(text)?.[1]
  if (password !== undefined) return password
  const message = said`cannot unpack the repository: it is encrypted, and no password is given`
  throw new AppError('wrong-password', message)
}

function failureOf(result: ToolResult): AppError {
  if (result.errorLines.some((line) => line.includes('wrong password or no key found')))
    return new AppError('wrong-password', said`cannot unpack the repository: the password is wrong`)
  return toolFailure('restic', 'unpack the repository', result)
}
