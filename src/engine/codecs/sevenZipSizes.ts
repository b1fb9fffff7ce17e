import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundTool } from '../tools/externalTool'
import { runTool, toolFailure } from '../tools/runTool'
import { inSampleFolder, type PackInput } from './sampleFolder'

/**
 * What `7zz a -ms=off -mx9` makes of each buffer by itself, in one process with one thread: packed bytes without headers,
 * in the order given. Works in a folder of its own below the system's temporary one, which is gone afterwards.
 * @throws AppError `cancelled`, `tool-failed`
 */
export async function sevenZipSizes(
  tool: FoundTool,
  inputs: readonly PackInput[],
  signal?: AbortSignal,
): Promise<number[]> {
  if (inputs.length === 0) return []
  return inSampleFolder(inputs, async (folder, names) => {
    const run = { cwd: folder, ...(signal ? { signal } : {}) }
    const listFile = 'names.list'
    await writeFile(join(folder, listFile), names.join('\n'))
    const archive = 'samples.7z'
    const pack = ['a', '-t7z', '-ms=off', '-mx9', '-mmt=1', '-scsUTF-8', '-bso0', '-bsp0', archive]
    const packed = await runTool(tool.path, [...pack, `@${listFile}`], run)
    if (packed.exitCode !== 0) throw toolFailure('7-Zip', 'compress samples', packed)
    const listed = await runTool(tool.path, ['l', '-slt', '-t7z', archive], run)
    if (listed.exitCode !== 0) throw toolFailure('7-Zip', 'list compressed samples', listed)
    const sizes = packedSizes(listed.output)
    return names.map((name) => {
      const size = sizes.get(name)
      if (size === undefined) throw toolFailure('7-Zip', `find the compressed size of ${name}`, listed)
      return size
    })
  })
}

/** `Path = …` and the `Packed Size = …` that follows it, of what `7zz l -slt` prints after its line of dashes. */
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
