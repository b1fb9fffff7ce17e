import { mkdir } from 'node:fs/promises'
import { printRecipe } from '../../../domain/options/recipe'
import { AppError } from '../../../primitives/appError'
import { fsPath, joinPath } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/toolDirectory'
import { borg } from '../../tools/backupTools'
import { requireTool } from '../../tools/externalTool'
import { toolMeter } from '../../tools/toolMeter'
import { fromSteadySource, sourceBytes, withSourceFolder } from './buildSource'
import { builtBytes } from './builtPlace'
import type { BuildRequest, OptionBuilder } from './optionBuilder'
import { makeFolder } from './plainFolder'
import { homeIn, jsonOf, runRepository, zeroEnded } from './repositoryRun'

const COMPRESSIONS = { none: 'none', lz4: 'lz4', 'zstd-3': 'zstd,3' } as const

/** A repository of borg 1 without encryption, with one archive in it. */
export const borgRepository: OptionBuilder<'borg'> = {
  tool: borg,
  refuses: ({ version }) =>
    version === 1 ? null : 'borg 2 repositories are only forecast; Stowage was tested with borg 1',
  async build(request) {
    const tool = await requireTool(borg, request.signal)
    if (!tool.version.startsWith('1.'))
      throw new AppError(
        'tool-missing',
        `cannot build ${printRecipe(request.recipe)} with borg ${tool.version}: it needs borg 1`,
      )
    const args = ['create', '--compression', COMPRESSIONS[request.recipe.codec], '--files-cache=disabled']
    const meter = toolMeter()
    await fromSteadySource(request, () => fill(request, tool, args, meter)).finally(() => meter.end())
    request.onProgress(sourceBytes(request.files))
    return {
      tool: 'borg',
      version: tool.version,
      command: ['borg init -e none; borg', ...args, '::source'].join(' '),
      bytes: await builtBytes(request.path),
      ...meter.end(),
      // Repositories, keys and archives have random names and dates.
      repeatable: false,
    }
  },
}

async function fill(
  request: BuildRequest,
  tool: Awaited<ReturnType<typeof requireTool>>,
  args: readonly string[],
  meter: ReturnType<typeof toolMeter>,
): Promise<void> {
  const { scratch, signal, path } = request
  const home = await homeIn(scratch)
  await mkdir(fsPath(joinPath(scratch, 'borg')))
  await makeFolder(path)
  const total = sourceBytes(request.files)
  await withToolDirectory(path, (repository) =>
    withSourceFolder(request, async (cwd, ofLinks) => {
      const env = {
        ...home,
        BORG_BASE_DIR: joinPath(scratch, 'borg'),
        BORG_REPO: repository,
        // The repository lies in an open folder and has no place of its own to be known by.
        BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
        BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
      }
      await runRepository(tool, 'borg', ['init', '--encryption', 'none'], {
        env,
        cwd: scratch,
        signal,
        meter,
      })
      const names = zeroEnded(request, 'all')
      // borg takes a carriage return in a list for a line end; then it is given the whole folder, which a list is more exact than.
      const byList = ofLinks || !names.includes('\r')
      const list = byList ? ['--paths-from-stdin', '--paths-delimiter', '\\0'] : []
      const whole = byList ? [] : ['.']
      await runRepository(
        tool,
        'borg',
        [...args, ...list, '--log-json', '--progress', '::source', ...whole],
        {
          env,
          cwd,
          signal,
          meter,
          ...(byList ? { input: names } : {}),
          onErrorLine: (line) => {
            const done = jsonOf(line)?.['original_size']
            if (typeof done === 'number') request.onProgress(Math.min(done, total))
          },
        },
      )
    }),
  )
}
