import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SeededRandom, seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'

/** Some hundred operations of some milliseconds: wherever a kill falls, something is half done. */
export const SMALL_SPEC = `
name: Small
tests:
  - sizes: {from: 64KiB, to: 4MB, count: 24, total: 24MB}
  - sizes: [{size: 10kB, count: 30}]
  - sizes: [8MB]
    operations: [write, randomRead]
    accesses: 200
`

/** A folder with files of its owner, some of them named as those of measurements are. */
export function foreignFolder(directory: string): void {
  const random = seededRandom(12)
  const put = (path: string, length: number): void => {
    const content = new Uint8Array(length)
    random.fillBytes(content)
    writeFileSync(join(directory, path), content)
  }
  mkdirSync(join(directory, 'stowage-measure-0000'), { recursive: true })
  mkdirSync(join(directory, 'photos'))
  put('photos/a.jpg', 70_000)
  put('f0.timed', 5000)
  put('stowage-measure-0000/f0.timed', 9000)
  put('stowage-measure-notes.txt', 10)
}

/** Every name below a folder with the digest of its content. */
export function contentsOf(directory: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    found[path] = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder'
  }
  return found
}

/**
 * Starts a measurement and kills it with SIGKILL at a random moment after it has said what it is going to write; then starts
 * the command again.
 * @returns what lay in the folder after the kill beside what was there before, by number, and what does after the next start
 */
export async function killedOnce(
  directory: string,
  home: string,
  spec: string,
  random: SeededRandom,
  longestMs: number,
  more: readonly string[] = [],
): Promise<{ killedAfterMs: number; wasRunning: boolean; left: number; after: Record<string, string> }> {
  const before = Object.keys(contentsOf(directory)).length
  const killedAfterMs = Math.round(random.unit() * longestMs)
  let isArmed = false
  const end = await stowage(['measure', directory, '--spec', spec, ...more], {
    home,
    onStderr: (_text, kill) => {
      if (isArmed) return
      isArmed = true
      setTimeout(() => kill('SIGKILL'), killedAfterMs)
    },
  })
  const left = Object.keys(contentsOf(directory)).length - before
  await stowage(['measure', '--list'], { home })
  return { killedAfterMs, wasRunning: end.code === null, left, after: contentsOf(directory) }
}
