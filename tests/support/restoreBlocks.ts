import { hash } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { fsPath, joinPath } from '../../src/engine/files/fileSystem'
import { writeNewFile } from '../../src/engine/files/newFile'
import { AppError } from '../../src/primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../src/primitives/pathText'

const DATA = 'blocks.data'
const INDEX = 'blocks.index'
const MAGIC = Buffer.from('STOWBLK1')
const HEAD_BYTES = 32
const ENTRY_BYTES = 44

/**
 * Writes the files of a store into a folder that exists, checking every block's digest.
 * @throws AppError `bad-input` when it is damaged, `exists`, `no-space`
 */
export async function restoreBlocks(folder: string, to: string): Promise<void> {
  const index = await readFile(fsPath(joinPath(folder, INDEX)))
  const damaged = (): AppError =>
    new AppError('bad-input', `cannot restore ${pathForDisplay(folder)}: its blocks are damaged`, {
      path: folder,
    })
  if (!index.subarray(0, 8).equals(MAGIC)) throw damaged()
  const [blockBytes, files, unique] = [index.readUInt32LE(8), index.readUInt32LE(12), index.readUInt32LE(16)]
  const data = await open(fsPath(joinPath(folder, DATA)), 'r')
  try {
    const blockOf = async (number: number): Promise<Buffer> => {
      const entry = index.subarray(HEAD_BYTES + number * ENTRY_BYTES).subarray(0, ENTRY_BYTES)
      const block = Buffer.alloc(entry.readUInt32LE(40))
      const { bytesRead } = await data.read(block, 0, block.length, Number(entry.readBigUInt64LE(32)))
      if (bytesRead < block.length || !hash('sha256', block, 'buffer').equals(entry.subarray(0, 32)))
        throw damaged()
      return block
    }
    let at = HEAD_BYTES + unique * ENTRY_BYTES
    const listed: { path: string; blocks: number }[] = []
    for (let file = 0; file < files; file++) {
      const length = index.readUInt32LE(at + 8)
      listed.push({
        path: pathFromBytes(index.subarray(at + 12, at + 12 + length)),
        blocks: Math.ceil(Number(index.readBigUInt64LE(at)) / blockBytes),
      })
      at += 12 + length
    }
    for (const { path, blocks } of listed) {
      const target = joinPath(to, path)
      await mkdir(fsPath(target.slice(0, target.lastIndexOf('/'))), { recursive: true })
      const content = async function* (): AsyncGenerator<Uint8Array, void, void> {
        for (let block = 0; block < blocks; block++, at += 4) yield await blockOf(index.readUInt32LE(at))
      }
      await writeNewFile(target, content(), { flush: false })
    }
  } finally {
    await data.close()
  }
}
