import { availableParallelism } from 'node:os'
import { typesAsIs } from '../../../domain/options/recipes/asIs'
import { printRecipe } from '../../../domain/options/recipes/recipe'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { withToolDirectory } from '../../files/scratch'
import { requireTool } from '../../tools/externalTool'
import { runTool, toolFailure } from '../../tools/runTool'
import { mksquashfs } from '../../tools/squashfsTools'
import { toolMeter } from '../../tools/toolMeter'
import { builtAt } from './builtPlace'
import { containerSeconds } from './containerTime'
import { KILL_AFTER_MS } from './killAfter'
import { measuredBuild } from './measuredBuild'
import type { OptionBuilder } from './optionBuilder'
import { tarStream } from './tarStream'

const CODECS = {
  gzip: ['-comp', 'gzip', '-Xcompression-level', '9'],
  lz4: ['-comp', 'lz4'],
  'zstd-3': ['-comp', 'zstd', '-Xcompression-level', '3'],
} as const

/** Enough of what mksquashfs may take for its queues, whatever the machine has. */
const MEMORY = '256M'

/**
 * A read-only file system for Linux, of the folders themselves: what has come into them since the
 * survey is in it too. Only some of their files are given as a tar stream, of which mksquashfs
 * 4.5.1 dates the top folder today. (Given a list of names it did not end.)
 */
export const squashfs: OptionBuilder<'squashfs'> = {
  tool: mksquashfs,
  async build(request) {
    const tool = await requireTool(mksquashfs)
    const fixed = '-noappend -no-progress -quiet -no-xattrs -exit-on-error -reproducible -mkfs-time 0'.split(
      ' ',
    )
    const root = '-root-mode 755 -root-uid 0 -root-gid 0 -root-time 0'.split(' ')
    const limits = ['-processors', String(availableParallelism()), '-mem', MEMORY]
    const { codec, blockBytes } = request.recipe
    const asIs = typesAsIs(request.recipe)
    if (asIs.length > 0 && request.isPart) {
      const message = said`cannot build ${printRecipe(request.recipe)}: mksquashfs stores types as they are only in one image of whole folders`
      throw new AppError('refused', message)
    }
    const stored = asIs.flatMap((type) => ['-action', `uncompressed@name(*.${anyCase(type)})`])
    const args = [...CODECS[codec], '-b', String(blockBytes), ...fixed, ...root, ...limits, ...stored]
    const meter = toolMeter()
    const { figures } = await measuredBuild(request, meter, () =>
      builtAt(request.path, '.squashfs', async (path) => {
        const run = {
          signal: request.signal,
          killAfterMs: KILL_AFTER_MS,
          onStart: (pid: number) => meter.watch(pid),
          onOutput: () => undefined,
        }
        const result = request.isPart
          ? await runTool(tool.path, ['-', path, '-tar', ...args], {
              ...run,
              input: tarStream(request, containerSeconds),
            })
          : await withRoots(request.roots, (cwd, names) =>
              runTool(tool.path, [...names, path, ...args], { ...run, cwd }),
            )
        if (result.exitCode === 0) return
        if (result.errorLines.some((line) => /No space left on device|Disk quota exceeded/.test(line)))
          throw new AppError('no-space', said`cannot write the image: no space left on the device`)
        const fatal = result.errorLines.filter((line) => line.includes('FATAL ERROR'))
        throw toolFailure('mksquashfs', 'make the image', { ...result, errorLines: fatal.slice(0, 1) })
      }),
    )
    return {
      tool: 'mksquashfs',
      version: tool.version,
      command: ['mksquashfs', ...request.roots.map(pathForDisplay), 'image', ...args].join(' '),
      ...figures,
      repeatable: !request.isPart,
    }
  },
}

/** The pattern of a type in capitals and small letters: `[jJ][pP]3`. */
function anyCase(type: string): string {
  return type.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

/**
 * One root by itself, so that its name may be of any bytes, or several, whose names are at the top
 * of the image.
 */
function withRoots<T>(
  roots: readonly string[],
  use: (cwd: string, names: readonly string[]) => Promise<T>,
): Promise<T> {
  const [only] = roots
  if (roots.length === 1 && only !== undefined) return withToolDirectory(only, (cwd) => use(cwd, ['.']))
  const unfit = roots.find((root) => /[\ud800-\udfff]/u.test(root))
  if (unfit === undefined) return use('/', roots)
  const message = said`cannot give mksquashfs ${pathForDisplay(unfit)}: the name is not Unicode`
  return Promise.reject(new AppError('name-unsupported', message, { path: unfit }))
}
