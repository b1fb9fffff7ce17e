import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * A proof store has every unique block once, and an index: a head of 32 bytes, 44 a unique block (SHA-256, offset, length), 12 and
 * the path a file, 4 a block.
 */
const HEAD_BYTES = 32
const UNIQUE_BYTES = 44
const FILE_BYTES = 12
const BLOCK_BYTES = 4

/** Bytes of the store of a folder's files, counted by SHA-256. A shorter end of a file is a block of its own. */
export function storeBytes(folder: string, blockBytes: number): number {
  const unique = new Set<string>()
  let bytes = HEAD_BYTES
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    bytes += FILE_BYTES + Buffer.byteLength(path.slice(folder.length + 1))
    const content = readFileSync(path)
    for (let at = 0; at < content.length; at += blockBytes) {
      const block = content.subarray(at, at + blockBytes)
      const digest = hash('sha256', block, 'hex')
      if (!unique.has(digest)) bytes += UNIQUE_BYTES + block.length
      unique.add(digest)
      bytes += BLOCK_BYTES
    }
  }
  return bytes
}
