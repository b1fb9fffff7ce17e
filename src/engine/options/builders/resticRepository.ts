import { joinPath } from '../../files/fileSystem'
import { lineSplitter } from '../../files/lineSplitter'
import { writeNewFile } from '../../files/newFile'
import { withToolDirectory } from '../../sets/build/toolDirectory'
import { restic } from '../../tools/backupTools'
import { type FoundTool, requireTool } from '../../tools/externalTool'
import { type ToolMeter, toolMeter } from '../../tools/toolMeter'
import { fromSteadySource, sourceBytes, withSourceFolder } from './buildSource'
import { builtBytes } from './builtPlace'
import type { BuildRequest, OptionBuilder } from './optionBuilder'
import { makeFolder } from './plainFolder'
import { homeIn, jsonOf, runRepository, zeroEnded } from './repositoryRun'

/** restic will not do without; the repository is made to be weighed and thrown away. */
export const PASSWORD = 'stowage'

/** A restic repository with one snapshot in it; restic always encrypts, here with a password that is no secret. */
export const resticRepository: OptionBuilder<'restic'> = {
  tool: restic,
  async build(request) {
    const tool = await requireTool(restic, request.signal)
    const args = ['backup', '--compression', request.recipe.compression, '--host', 'stowage']
    const meter = toolMeter()
    await fromSteadySource(request, () => fill(request, tool, args, meter)).finally(() => meter.end())
    request.onProgress(sourceBytes(request.files))
    return {
      tool: 'restic',
      version: tool.version,
      command: ['restic init; restic', ...args, '--files-from-raw names'].join(' '),
      bytes: await builtBytes(request.path),
      ...meter.end(),
      // Keys, nonces and snapshots are random.
      repeatable: false,
    }
  },
}

async function fill(
  request: BuildRequest,
  tool: FoundTool,
  args: readonly string[],
  meter: ToolMeter,
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
        RESTIC_REPOSITORY: repository,
        RESTIC_PASSWORD: PASSWORD,
      }
      const cache = ['--cache-dir', joinPath(scratch, 'cache')]
      const init = ['init', '--repository-version', '2', ...cache]
      await runRepository(tool, 'restic', init, { env, cwd: scratch, signal, meter })
      const lines = lineSplitter((line) => {
        const done = jsonOf(line)?.['bytes_done']
        if (typeof done === 'number') request.onProgress(done)
      })
      await runRepository(tool, 'restic', [...args, ...cache, '--json', '--files-from-raw', names], {
        env,
        cwd,
        signal,
        meter,
        onOutput: (chunk) => lines.push(chunk),
      })
    }),
  )
}
