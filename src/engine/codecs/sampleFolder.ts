import { readdirSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayBeAlive, ownIdentity } from '../files/processIdentity'
import { writeNewFile } from '../files/write'

/**
 * A buffer to be packed; the extension (without dot) lets a tool choose its filters as it does for
 * the real file.
 */
export interface PackInput {
  readonly data: Uint8Array
  readonly extension: string
}

/** Extensions that may be in a file name on every system. */
const HARMLESS_EXTENSION = /^[a-z0-9]{1,16}$/

/**
 * Followed by the identity of the process that uses the folder, '-' and letters of chance: the name
 * is there as soon as the folder.
 */
const PREFIX = 'stowage-samples-'

/**
 * Writes each buffer as a file of its own into a new folder below the system's temporary one, for a
 * tool to work on. The folder is removed when `work` ends; after a kill the next start removes it
 * (`removeAbandonedSamples`).
 * @param work is given the folder and the files' names, in the order of the buffers
 */
export async function inSampleFolder<T>(
  inputs: readonly PackInput[],
  work: (folder: string, names: readonly string[]) => Promise<T>,
): Promise<T> {
  const place = await mkdtemp(join(tmpdir(), `${PREFIX}${encodeURIComponent(ownIdentity())}-`))
  try {
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

/**
 * Removes the sample folders of processes that ended before they could. What cannot be removed is
 * left.
 */
export function removeAbandonedSamples(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = ownerOf(name)
    if (owner === null || mayBeAlive(owner)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another user's.
    }
  }
}

/** The identity in the name of a sample folder; null for other names. */
function ownerOf(name: string): string | null {
  if (!name.startsWith(PREFIX)) return null
  try {
    return decodeURIComponent(name.slice(PREFIX.length, name.lastIndexOf('-'))) || null
  } catch {
    return null
  }
}
