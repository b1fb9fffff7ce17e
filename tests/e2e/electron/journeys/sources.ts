import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { seededRandom } from '../../../../src/primitives/seededRandom'

/**
 * Writes files that do not compress, as pictures and films do not.
 * @param sizes in bytes, by path in the folder, which need not be there
 */
export async function writeMedia(folder: string, sizes: Readonly<Record<string, number>>): Promise<void> {
  const random = seededRandom(39)
  for (const [path, bytes] of Object.entries(sizes)) {
    const content = Buffer.alloc(bytes)
    random.fillBytes(content)
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}
