import { mkdir } from 'node:fs/promises'
import { printRecipe } from '../../../domain/options/recipes/recipe'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { fsPath, joinPath } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import { writeNewFile } from '../../files/write'
import { borg } from '../../tools/backupTools'
import { requireTool } from '../../tools/externalTool'
import { toolMeter } from '../../tools/toolMeter'
import { sourceBytes, withSourceFolder } from './buildSource'
import { measuredBuild } from './measuredBuild'
import type { BuildRequest, OptionBuilder } from './optionBuilder'
import { makeFolder } from './plainFolder'
import { homeIn, jsonOf, runRepository, withPassword, zeroEnded } from './repositoryRun'

const COMPRESSIONS = { none: 'none', lz4: 'lz4', 'zstd-3': 'zstd,3' } as const

/**
 * A repository of borg 1 with one archive in it; encrypted, its key is in the repository, locked by
 * the password.
 */
export const borgRepository: OptionBuilder<'borg'> = {
  tool: borg,
  refuses: ({ version }) =>
    version === 1 ? null : said`borg 2 repositories are only forecast; Stowage was tested with borg 1`,
  carriesOut: { encryption: ['aes-256'] },
  async build(request) {
    const tool = await requireTool(borg, request.signal)
    if (!tool.version.startsWith('1.'))
      throw new AppError(
        'tool-missing',
        said`cannot build ${printRecipe(request.recipe)} with borg ${tool.version}: it needs borg 1`,
      )
    const args = ['create', '--compression', COMPRESSIONS[request.recipe.codec], '--files-cache=disabled']
    const meter = toolMeter()
    const { figures } = await measuredBuild(request, meter, () => fill(request, tool, args, meter))
    return {
      tool: 'borg',
      version: tool.version,
      command: [`borg init -e ${modeOf(request)}; borg`, ...args, '::source'].join(' '),
      ...figures,
      // Repositories, keys and archives have random names and dates.
      repeatable: false,
    }
  },
}

function modeOf({ password = null }: BuildRequest): 'none' | 'repokey' {
  return password === null ? 'none' : 'repokey'
}

/** Removes a person's settings for repositories of their own. */
const NO_OTHER_PASSWORD = {
  BORG_PASSPHRASE: undefined,
  BORG_PASSCOMMAND: undefined,
  BORG_PASSPHRASE_FD: undefined,
  BORG_NEW_PASSPHRASE: undefined,
} as const

async function fill(
  request: BuildRequest,
  tool: Awaited<ReturnType<typeof requireTool>>,
  args: readonly string[],
  meter: ReturnType<typeof toolMeter>,
): Promise<void> {
  const { scratch, signal, path, password = null } = request
  const home = await homeIn(scratch)
  await mkdir(fsPath(joinPath(scratch, 'borg')))
  await makeFolder(path)
  const total = sourceBytes(request.files)
  await withToolDirectory(path, (repository) =>
    withSourceFolder(request, async (cwd, ofLinks) => {
      const names = zeroEnded(request, 'all')
      // borg takes a carriage return in a list for a line end; then it is given the whole folder, which a list is more exact than.
      const byList = ofLinks || !names.includes('\r')
      if (!byList && request.isPart) {
        const message = said`cannot give borg names with a carriage return where folders of Stowage are in the source`
        throw new AppError('name-unsupported', message)
      }
      const env = {
        ...home,
        ...NO_OTHER_PASSWORD,
        ...(password === null ? {} : { BORG_PASSPHRASE_FD: '0' }),
        BORG_BASE_DIR: joinPath(scratch, 'borg'),
        BORG_REPO: repository,
        // The repository lies in an open folder and has no place of its own to be known by.
        BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
        BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
      }
      const run = { env, signal, meter }
      const init = ['init', '--encryption', modeOf(request)]
      await withPassword(password, (input) =>
        runRepository(tool, 'borg', init, { ...run, cwd: scratch, ...input }),
      )
      const list = byList ? await listOf(names, scratch, password) : { before: [], after: ['.'], input: {} }
      const filling = [...args, ...list.before, '--log-json', '--progress', '::source', ...list.after]
      await withPassword(password, (input) =>
        runRepository(tool, 'borg', filling, {
          ...run,
          cwd,
          ...list.input,
          ...input,
          onErrorLine: (line) => {
            const done = jsonOf(line)?.['original_size']
            if (typeof done === 'number') request.onProgress(Math.min(done, total))
          },
        }),
      )
    }),
  )
}

/**
 * How borg is given the names: by standard input, or by the output of a program where standard
 * input is the password's.
 */
async function listOf(
  names: Buffer,
  scratch: string,
  password: Uint8Array | null,
): Promise<{
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly input: { readonly input?: Uint8Array }
}> {
  const delimiter = ['--paths-delimiter', '\\0']
  if (password === null)
    return { before: ['--paths-from-stdin', ...delimiter], after: [], input: { input: names } }
  const file = joinPath(scratch, 'names')
  await writeNewFile(file, [names], { flush: false })
  return { before: ['--paths-from-command', ...delimiter], after: ['--', 'cat', file], input: {} }
}
