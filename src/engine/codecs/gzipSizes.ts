import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from '../tools/findProgram'
import { runTool, toolFailure } from '../tools/runTool'
import { inSampleFolder } from './sampleFolder'

/** Header and trailer of gzip without a name. */
const WITHOUT_NAME = 18

/**
 * The gzip that people run here, or null. Its deflate is not the one Node has: sizes differ by up
 * to 6 %.
 */
export function findGzip(): Promise<string | null> {
  return findProgram('gzip')
}

/**
 * The sizes of `gzip -level` for each buffer: deflate data without header and trailer, in the order
 * given.
 * @throws AppError `cancelled`, `tool-failed`
 */
export function gzipSizes(
  program: string,
  level: number,
  buffers: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<number[]> {
  const inputs = buffers.map((data) => ({ data, extension: '' }))
  return inSampleFolder(inputs, async (folder, names) => {
    if (names.length === 0) return []
    const run = { cwd: folder, ...(signal ? { signal } : {}) }
    const packed = await runTool(program, ['-n', `-${level}`, '--', ...names], run)
    if (packed.exitCode !== 0) throw toolFailure('gzip', 'compress samples', packed)
    const sizes: number[] = []
    for (const name of names) sizes.push((await stat(join(folder, `${name}.gz`))).size - WITHOUT_NAME)
    return sizes
  })
}
