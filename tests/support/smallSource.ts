import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../src/primitives/seededRandom'

/** A folder of files with random content, each of so many bytes and of one time. */
export function makeFolder(path: string, names: readonly string[], bytes: number): void {
  mkdirSync(path, { recursive: true })
  const random = seededRandom(5)
  const content = Buffer.alloc(bytes)
  for (const name of names) {
    random.fillBytes(content)
    writeFileSync(join(path, name), content)
    utimesSync(join(path, name), 1_700_000_000, 1_700_000_000)
  }
}
