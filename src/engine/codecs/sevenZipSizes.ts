import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeNewFile } from '../files/write'
import { throwIfAborted } from '../jobs/throwIfAborted'
import type { FoundTool } from '../tools/externalTool'
import { runTool, toolFailure } from '../tools/runTool'
import { inSampleFolder, type PackInput } from './sampleFolder'

/** The result of 7-Zip for buffers. */
interface SevenZipPacked {
  /** Packed bytes without headers, in the order given. */
  readonly sizes: readonly number[]
  /** CPU time for all of them, start included, by 7-Zip's own account: to 0.01 s. */
  readonly seconds: number
}

/**
 * The sizes of `7zz a -ms=off -mx9` for each buffer by itself, in one process with one thread.
 * Works in a folder of its own below the system's temporary one, which is gone afterwards.
 * @throws AppError `cancelled`, `tool-failed`
 */
export async function sevenZipPacked(
  tool: FoundTool,
  inputs: readonly PackInput[],
  signal?: AbortSignal,
): Promise<SevenZipPacked> {
  if (inputs.length === 0) return { sizes: [], seconds: 0 }
  return inSampleFolder(inputs, async (folder, names) => {
    const run = { cwd: folder, ...(signal ? { signal } : {}) }
    const listFile = 'names.list'
    await writeNewFile(join(folder, listFile), [names.join('\n')], { flush: false })
    const archive = 'samples.7z'
    const pack = ['a', '-t7z', '-ms=off', '-mx9', '-mmt=1', '-scsUTF-8', '-bt', '-bsp0', archive]
    const packed = await runTool(tool.path, [...pack, `@${listFile}`], run)
    if (packed.exitCode !== 0) throw toolFailure('7-Zip', 'compress samples', packed)
    const listed = await runTool(tool.path, ['l', '-slt', '-t7z', archive], run)
    if (listed.exitCode !== 0) throw toolFailure('7-Zip', 'list compressed samples', listed)
    const packedOf = packedSizes(listed.output)
    const sizes = names.map((name) => {
      const size = packedOf.get(name)
      if (size === undefined) throw toolFailure('7-Zip', `find the compressed size of ${name}`, listed)
      return size
    })
    return { sizes, seconds: processorSeconds(packed.output) }
  })
}

/**
 * 7-Zip reports its time in hundredths of a second: so much must have been unpacked in one run for
 * 5 %.
 */
const LEAST_SECONDS = 0.1
/**
 * The most copies in an archive that is tested again and again: opening each takes time that is not
 * of its bytes.
 */
const MOST_COPIES = 64

/**
 * How fast one core unpacks what `7zz a -mx9` makes of the buffers, in bytes of what comes out a
 * second: by 7-Zip's own account of its CPU time, less that of a run that unpacks next to nothing.
 * Null where that is too short to measure, or the buffers too small.
 * @param wantedBytes are unpacked about: the archive is tested as often as it takes
 * @throws AppError `cancelled`, `tool-failed`
 */
export async function sevenZipUnpackSpeed(
  tool: FoundTool,
  inputs: readonly PackInput[],
  wantedBytes: number,
  signal?: AbortSignal,
): Promise<number | null> {
  const bytes = inputs.reduce((sum, { data }) => sum + data.length, 0)
  if (bytes === 0 || wantedBytes / bytes > MOST_COPIES) return null
  return inSampleFolder(inputs, async (folder, names) => {
    const run = { cwd: folder, ...(signal ? { signal } : {}) }
    const pack = ['a', '-t7z', '-ms=off', '-mx9', '-mmt=1', '-bso0', '-bsp0', 'test-0.7z', ...names]
    const made = await runTool(tool.path, pack, run)
    if (made.exitCode !== 0) throw toolFailure('7-Zip', 'compress samples', made)
    const times = Math.max(1, Math.ceil(wantedBytes / bytes))
    for (let copy = 1; copy <= times; copy++) {
      throwIfAborted(signal)
      await copyFile(join(folder, 'test-0.7z'), join(folder, `test-${copy}.7z`))
    }
    const seconds = async (archives: string): Promise<number> => {
      const tested = await runTool(tool.path, ['t', '-t7z', '-mmt=1', '-bt', '-bsp0', archives], run)
      if (tested.exitCode !== 0) throw toolFailure('7-Zip', 'unpack samples', tested)
      return processorSeconds(tested.output)
    }
    const many = await seconds('test-*.7z')
    const one = await seconds('test-0.7z')
    return many - one < LEAST_SECONDS ? null : (times * bytes) / (many - one)
  })
}

/** The sum of `Kernel  Time = …` and `User    Time = …` that `7zz -bt` prints last, in seconds. */
export function processorSeconds(output: string): number {
  return [...output.matchAll(/^(?:Kernel|User) +Time = +([\d.]+)/gm)].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  )
}

/**
 * `Path = …` and the `Packed Size = …` that follows it, of what `7zz l -slt` prints after its line
 * of dashes.
 */
export function packedSizes(listing: string): Map<string, number> {
  const sizes = new Map<string, number>()
  let path: string | null = null
  let inItems = false
  for (const line of listing.split(/\r?\n/)) {
    if (line === '----------') inItems = true
    else if (inItems && line.startsWith('Path = ')) path = line.slice('Path = '.length)
    else if (path !== null && line.startsWith('Packed Size = ')) {
      sizes.set(path, Number(line.slice('Packed Size = '.length)))
    }
  }
  return sizes
}
