import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SmallFileCopier } from '../../../../src/engine/files/copy'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const LONGEST = 1024 * 1024

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-short-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, length: number): string {
  const bytes = Buffer.alloc(length)
  seededRandom(length + 1).fillBytes(bytes)
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

describe('copies of short files', () => {
  it.each([0, 1, 4096, LONGEST])(
    'have the bytes, the mode and the times of the source: %i bytes',
    (length) => {
      const [from, to] = [fileOf(`from-${length}`, length), join(folder, `to-${length}`)]
      utimesSync(from, 1_000_000_000.25, 1_234_567_890.75)
      chmodSync(from, 0o440)
      new SmallFileCopier().copy(from, to, length)
      expect(readFileSync(to).equals(readFileSync(from))).toBe(true)
      const { mode, mtimeMs, size } = statSync(to)
      expect({ mode: mode & 0o777, mtimeMs, size }).toEqual({
        mode: 0o440,
        mtimeMs: 1_234_567_890_750,
        size: length,
      })
      expect(statSync(to).atimeMs).toBeLessThan(2_000_000_000_000)
    },
  )

  it('are refused where a file has become another length or no file, and leave nothing', () => {
    const copies = new SmallFileCopier()
    const from = fileOf('changed', 5000)
    const to = join(folder, 'copy-of-changed')
    for (const planned of [4999, 5001])
      expect(() => copies.copy(from, to, planned)).toThrow(expect.objectContaining({ code: 'changed' }))
    expect(() => copies.copy(folder, to, 5000)).toThrow()
    expect(() => copies.copy(join(folder, 'nothing'), to, 1)).toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    )
    expect(() => statSync(to)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  })

  it.skipIf(process.platform === 'win32')('do not wait for what has become a pipe', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const to = join(folder, 'copy-of-pipe')
    expect(() => new SmallFileCopier().copy(pipe, to, 0)).toThrow(
      expect.objectContaining({ code: 'changed' }),
    )
  })

  it('never take the place of another file', () => {
    const [from, there] = [fileOf('new', 10), fileOf('there', 20)]
    expect(() => new SmallFileCopier().copy(from, there, 10)).toThrow(
      expect.objectContaining({ code: 'EEXIST' }),
    )
    expect(statSync(there).size).toBe(20)
  })

  it('are for files of up to a mebibyte', () => {
    const copies = new SmallFileCopier()
    expect([copies.takes(0), copies.takes(LONGEST), copies.takes(LONGEST + 1)]).toEqual([true, true, false])
  })
})
