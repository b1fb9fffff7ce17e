import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeNewFile } from '../files/newFile'

/** A buffer to be packed; the extension (without dot) lets a tool choose its filters as it does for the real file. */
export interface PackInput {
  readonly data: Uint8Array
  readonly extension: string
}

/** Extensions that may stand in a file name on every system. */
const HARMLESS_EXTENSION = /^[a-z0-9]{1,16}$/

/**
 * Writes each buffer as a file of its own into a new folder below the system's temporary one, for a tool to work on. The
 * folder is gone when `work` has ended, however it ended.
 * @param work is given the folder and the files' names, in the order of the buffers
 */
export async function inSampleFolder<T>(
  inputs: readonly PackInput[],
  work: (folder: string, names: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-samples-'))
  try {
    const names: string[] = []
    for (const [index, { data, extension }] of inputs.entries()) {
      const ending = HARMLESS_EXTENSION.test(extension) ? `.${extension}` : ''
      const name = `${String(index).padStart(8, '0')}${ending}`
      names.push(name)
      await writeNewFile(join(folder, name), [data], { flush: false })
    }
    return await work(folder, names)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
