import { randomBytes } from 'node:crypto'
import { said } from '../../../primitives/said'
import { joinPath } from '../../files/fileSystem'
import { lineSplitter } from '../../files/read'
import { withToolDirectory } from '../../files/scratch'
import { writeNewFile } from '../../files/write'
import { restic } from '../../tools/backupTools'
import { type FoundTool, requireTool } from '../../tools/externalTool'
import { type ToolMeter, toolMeter } from '../../tools/toolMeter'
import { withSourceFolder } from './buildSource'
import { measuredBuild } from './measuredBuild'
import type { BuildRequest, OptionBuilder } from './optionBuilder'
import { makeFolder } from './plainFolder'
import { homeIn, jsonOf, runRepository, withPassword, zeroEnded } from './repositoryRun'

/**
 * In a repository that is kept: says how to open it. restic passes over files that it does not
 * know.
 */
const README = 'README.txt'

/**
 * A restic repository with one snapshot in it. restic will not do without a password: where none is
 * given, each repository has a random one, which is no secret where the repository is kept, but is
 * written next to its data.
 */
export const resticRepository: OptionBuilder<'restic'> = {
  tool: restic,
  carriesOut: { encryption: ['aes-256'] },
  async build(request) {
    const tool = await requireTool(restic, request.signal)
    const args = ['backup', '--compression', request.recipe.compression, '--host', 'stowage']
    const meter = toolMeter()
    const own = request.password ? null : randomBytes(16).toString('hex')
    const password = request.password ?? Buffer.from(own ?? '')
    const { figures } = await measuredBuild(request, meter, () =>
      fill(request, tool, args, { meter, password }),
    )
    if (request.isKept) await writeNewFile(joinPath(request.path, README), [readmeOf(own)], { flush: false })
    return {
      tool: 'restic',
      version: tool.version,
      command: ['restic init; restic', ...args, '--files-from-raw names'].join(' '),
      ...figures,
      // Keys, nonces and snapshots are random.
      repeatable: false,
      notes:
        request.isKept && own !== null ? [said`encrypted, but its password ${own} is in its ${README}`] : [],
    }
  },
}

/** @param own the random password; null where a person chose one, which is in no file */
function readmeOf(own: string | null): string {
  if (own === null)
    return `This folder is a restic repository, built by Stowage. It is encrypted; restic
asks for the password.

To restore everything, in this folder:
  restic -r . restore latest --target DIR
`
  return `This folder is a restic repository, built by Stowage.

restic encrypts every repository. The password of this one is in this file, so
anyone who has the folder can read it.

Password: ${own}

To restore everything, in this folder:
  RESTIC_PASSWORD=${own} restic -r . restore latest --target DIR

To protect it, set your own password and remove this file. Earlier copies of
the folder can still be opened with the old password.
  RESTIC_PASSWORD=${own} restic -r . key passwd
`
}

/** restic reads the password from standard input where nothing else is set. */
const NO_OTHER_PASSWORD = {
  RESTIC_PASSWORD: undefined,
  RESTIC_PASSWORD_FILE: undefined,
  RESTIC_PASSWORD_COMMAND: undefined,
} as const

async function fill(
  request: BuildRequest,
  tool: FoundTool,
  args: readonly string[],
  { meter, password }: { readonly meter: ToolMeter; readonly password: Uint8Array },
): Promise<void> {
  const { scratch, signal, path } = request
  const home = await homeIn(scratch)
  await makeFolder(path)
  const names = joinPath(scratch, 'names')
  await writeNewFile(names, [zeroEnded(request, 'empty')], { flush: false })
  await withToolDirectory(path, (repository) =>
    withSourceFolder(request, async (cwd) => {
      const env = {
        ...home,
        ...NO_OTHER_PASSWORD,
        RESTIC_REPOSITORY: repository,
      }
      const cache = ['--cache-dir', joinPath(scratch, 'cache')]
      const init = ['init', '--repository-version', '2', ...cache]
      await withPassword(password, (input) =>
        runRepository(tool, 'restic', init, { env, cwd: scratch, signal, meter, ...input }),
      )
      const lines = lineSplitter((line) => {
        const done = jsonOf(line)?.['bytes_done']
        if (typeof done === 'number') request.onProgress(done)
      })
      const backup = [...args, ...cache, '--json', '--files-from-raw', names]
      await withPassword(password, (input) =>
        runRepository(tool, 'restic', backup, {
          env,
          cwd,
          signal,
          meter,
          ...input,
          onOutput: (chunk) => lines.push(chunk),
        }),
      )
    }),
  )
}
