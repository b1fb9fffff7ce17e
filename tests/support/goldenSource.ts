import {
  chmodSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { seededRandom } from '../../src/primitives/seededRandom'

/** Seconds since 1970 of everything in it. */
const MODIFIED = 1_700_000_000

/**
 * Writes a small source as it is at a generation, from 0: noise, text, equal files, hard and
 * symbolic links, an empty folder, names of many kinds. Each generation adds, changes, renames and
 * deletes something.
 */
export function writeState(source: string, generation: number): void {
  rmSync(source, { recursive: true, force: true })
  mkdirSync(join(source, 'empty'), { recursive: true })
  const put = (path: string, content: Uint8Array | string): void => {
    const file = join(source, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  for (let number = 0; number < 6; number++)
    put(`photos/IMG_${number}.jpg`, noise(60_000 + 9_000 * number, number))
  put('photos/copy of IMG_0.jpg', noise(60_000, 0))
  put('text/notes.txt', 'The same line again and again.\n'.repeat(3000))
  put('text/\u00fcber \u65e5\u672c.txt', 'Names in other scripts.\n')
  put('a/deep/folder/with/a file', noise(5000, 50))
  put('none', '')
  linkSync(join(source, 'photos/IMG_1.jpg'), join(source, 'photos/also IMG_1.jpg'))
  symlinkSync('photos/IMG_2.jpg', join(source, 'link'))
  for (let added = 1; added <= generation; added++) {
    put(`new ${added}/IMG_${added}.jpg`, noise(70_000, 100 + added))
    put('text/notes.txt', `Changed ${added} times.\n`.repeat(2000 + added))
    rmSync(join(source, `photos/IMG_${2 + added}.jpg`))
  }
  if (generation > 0) put('photos/renamed.jpg', noise(60_000 + 9_000 * 3, 3))
  setFacts(source)
}

function noise(bytes: number, seed: number): Uint8Array {
  const content = new Uint8Array(bytes)
  seededRandom(1000 + seed).fillBytes(content)
  return content
}

/** Times and permissions that do not depend on when and by whom it was written. */
function setFacts(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) lutimesSync(path, MODIFIED, MODIFIED)
    else if (entry.isDirectory()) setFacts(path)
    else {
      chmodSync(path, 0o644)
      const seconds = MODIFIED + (statSync(path).size % 1000)
      utimesSync(path, seconds, seconds)
    }
  }
  chmodSync(folder, 0o755)
  utimesSync(folder, MODIFIED, MODIFIED)
}
