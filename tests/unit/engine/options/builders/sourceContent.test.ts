import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  contentOf,
  contentThrough,
  wholeContent,
} from '../../../../../src/engine/options/builders/sourceContent'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

const folder = mkdtempSync(join(tmpdir(), 'stowage-content-'))
afterAll(() => rmSync(folder, { recursive: true }))
const never = new AbortController().signal

function fileOf(length: number): { path: string; bytes: Buffer } {
  const bytes = Buffer.alloc(length)
  seededRandom(length + 1).fillBytes(bytes)
  const path = join(folder, `of-${length}`)
  writeFileSync(path, bytes)
  return { path, bytes }
}

/** Copies of them. */
async function piecesOf(content: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(Buffer.from(piece))
  return pieces
}

describe('the content of a file', () => {
  it.each([0, 1, 4095, 4096, 4097, 12_288, 300_001])('comes whole in every way: %i bytes', async (length) => {
    const { path, bytes } = fileOf(length)
    const own = await piecesOf(contentOf(path, length, never))
    expect(Buffer.concat(own).equals(bytes)).toBe(true)
    const copies = await piecesOf(contentThrough(Buffer.alloc(4096), path, length, never))
    expect(Buffer.concat(copies).equals(bytes)).toBe(true)
    expect(copies.slice(0, -1).every((piece) => piece.length === 4096)).toBe(true)
    expect((await wholeContent(path, length, Buffer.alloc(length + 1))).equals(bytes)).toBe(true)
  })

  it.each([4095, 4096, 8192])('is refused when it has become another length: %i bytes', async (length) => {
    const { path } = fileOf(length)
    const readings = [
      () => piecesOf(contentOf(path, length, never)),
      () => piecesOf(contentThrough(Buffer.alloc(4096), path, length, never)),
      () => wholeContent(path, length, Buffer.alloc(length + 1)),
    ]
    appendFileSync(path, 'x')
    for (const reading of readings) await expect(reading()).rejects.toMatchObject({ code: 'changed' })
    truncateSync(path, length - 1)
    for (const reading of readings) await expect(reading()).rejects.toMatchObject({ code: 'changed' })
    rmSync(path)
    for (const reading of readings) await expect(reading()).rejects.toMatchObject({ code: 'vanished' })
  })

  it.each([1, 4095, 4096, 12_288, 300_001])(
    'is refused when it has become other bytes: %i bytes',
    async (length) => {
      const { path, bytes } = fileOf(length)
      const digest = createHash('sha256').update(bytes).digest('hex')
      const readings = [
        () => piecesOf(contentOf(path, length, never, digest)),
        () => piecesOf(contentThrough(Buffer.alloc(4096), path, length, never, digest)),
        () => wholeContent(path, length, Buffer.alloc(length + 1), digest),
      ]
      for (const reading of readings) await reading()
      bytes[length - 1] = (bytes[length - 1] ?? 0) ^ 1
      writeFileSync(path, bytes)
      for (const reading of readings) {
        const message = `cannot use ${path}: its content differs from the plan`
        await expect(reading()).rejects.toMatchObject({ code: 'changed', message })
      }
    },
  )

  it('is not read on when nobody wants it any more', async () => {
    const { path } = fileOf(10_000)
    const stop = new AbortController()
    const read = async (): Promise<void> => {
      for await (const piece of contentThrough(Buffer.alloc(4096), path, 10_000, stop.signal))
        if (piece.length > 0) stop.abort()
    }
    await expect(read()).rejects.toMatchObject({ code: 'cancelled' })
  })
})
