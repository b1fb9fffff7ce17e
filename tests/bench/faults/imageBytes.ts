import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import type { SeededRandom } from '../../../src/primitives/seededRandom.ts'

export function byteAt(path: string, at: number): number {
  const byte = Buffer.alloc(1)
  const file = openSync(path, 'r')
  readSync(file, byte, 0, 1, at)
  closeSync(file)
  return byte[0] as number
}

export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, at)
  closeSync(file)
}

export function noise(random: SeededRandom, bytes: number): Buffer {
  const content = Buffer.alloc(bytes)
  random.fillBytes(content)
  return content
}

/** Replaces text wherever it is in a file by another one of that length. @returns how often */
export function replaceInFile(path: string, text: string, by: string): number {
  const bytes = readFileSync(path)
  let times = 0
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) {
    bytes.write(by, at, 'latin1')
    times += 1
  }
  writeFileSync(path, bytes)
  return times
}
