import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'

/** Everything of a tree that restoring has to put back, by path. Names and link targets are Latin-1 text of their bytes. */
export interface TreeFact {
  readonly kind: 'file' | 'folder' | 'symlink' | 'other'
  readonly mode: string
  readonly mtimeNs: string
  readonly content: string
  /** The first name in the tree of a file with several names. */
  readonly first: string
}

/**
 * Reads a tree with nothing of the product.
 * @param root left out itself
 */
export function treeFacts(root: string): Record<string, TreeFact> {
  const facts: Record<string, TreeFact> = {}
  const names = new Map<string, string>()
  const walk = (folder: Buffer, path: string): void => {
    for (const name of readdirSync(folder, { encoding: 'buffer' }).toSorted(Buffer.compare)) {
      const at = Buffer.concat([folder, Buffer.from('/'), name])
      const shown = path === '' ? name.toString('latin1') : `${path}/${name.toString('latin1')}`
      const stats = lstatSync(at, { bigint: true })
      const mode = stats.isSymbolicLink() ? '' : (Number(stats.mode) & 0o7777).toString(8)
      const mtimeNs = String(stats.mtimeNs)
      let first = ''
      if (stats.isFile() && stats.nlink > 1n) {
        const key = `${stats.dev}:${stats.ino}`
        first = names.get(key) ?? shown
        names.set(key, first)
      }
      if (stats.isDirectory()) {
        facts[shown] = { kind: 'folder', mode, mtimeNs, content: '', first }
        walk(at, shown)
      } else if (stats.isSymbolicLink()) {
        const content = readlinkSync(at, { encoding: 'buffer' }).toString('latin1')
        facts[shown] = { kind: 'symlink', mode, mtimeNs, content, first }
      } else if (stats.isFile()) {
        const file = openSync(at, 'r')
        const content = digestOfRanges(file, [{ offset: 0, bytes: Number(stats.size) }])
        closeSync(file)
        facts[shown] = { kind: 'file', mode, mtimeNs, content, first }
      } else facts[shown] = { kind: 'other', mode, mtimeNs, content: '', first }
    }
  }
  walk(Buffer.from(root), '')
  return facts
}

/** The kinds, paths and contents of a tree, without times, permissions and links, which not every system keeps. */
export function treeContents(root: string): string[] {
  return Object.entries(treeFacts(root)).map(([path, { kind, content }]) => `${kind} ${path} ${content}`)
}

const piece = Buffer.alloc(1 << 20)

/** SHA-256 of ranges of an open file, one after the other, however large they are. */
export function digestOfRanges(
  file: number,
  ranges: readonly { readonly offset: number; readonly bytes: number }[],
): string {
  const hash = createHash('sha256')
  for (const { offset, bytes } of ranges) {
    for (let done = 0; done < bytes; ) {
      const read = readSync(file, piece, 0, Math.min(piece.length, bytes - done), offset + done)
      if (read === 0) break
      hash.update(piece.subarray(0, read))
      done += read
    }
  }
  return hash.digest('hex')
}
