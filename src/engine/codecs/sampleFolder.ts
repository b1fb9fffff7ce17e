import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeNewFile } from '../files/newFile'
import { mayBeAlive, ownIdentity } from '../files/processIdentity'

/** A buffer to be packed; the extension (without dot) lets a tool choose its filters as it does for the real file. */
export interface PackInput {
  readonly data: Uint8Array
  readonly extension: string
}

/** Extensions that may be in a file name on every system. */
const HARMLESS_EXTENSION = /^[a-z0-9]{1,16}$/

const PREFIX = 'stowage-samples-'
/** Holds the identity of the process that uses the folder. */
const OWNER = 'owner'

/**
 * Writes each buffer as a file of its own into a new folder below the system's temporary one, for a tool to work on. The
 * folder is removed when `work` ends; after a kill the next start removes it (`removeAbandonedSamples`).
 * @param work is given the folder and the files' names, in the order of the buffers
 */
export async function inSampleFolder<T>(
  inputs: readonly PackInput[],
  work: (folder: string, names: readonly string[]) => Promise<T>,
): Promise<T> {
  const place = await mkdtemp(join(tmpdir(), PREFIX))
  try {
    await writeNewFile(join(place, OWNER), [ownIdentity()], { flush: false })
    const folder = join(place, 'samples')
    await mkdir(folder)
    const names: string[] = []
    for (const [index, { data, extension }] of inputs.entries()) {
      const ending = HARMLESS_EXTENSION.test(extension) ? `.${extension}` : ''
      const name = `${String(index).padStart(8, '0')}${ending}`
      names.push(name)
      await writeNewFile(join(folder, name), [data], { flush: false })
    }
    return await work(folder, names)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** Removes the sample folders of processes that ended before they could. What cannot be read or removed is left. */
export function removeAbandonedSamples(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const place = join(tmpdir(), name)
    try {
      const owner = readFileSync(join(place, OWNER), 'utf8')
      // One without content is being written right now.
      if (owner !== '' && !mayBeAlive(owner)) rmSync(place, { recursive: true, force: true })
    } catch {
      // Another user's, or one that is being made or removed right now.
    }
  }
}
