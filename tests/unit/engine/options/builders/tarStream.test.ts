import { execFileSync } from 'node:child_process'
import {
  lutimesSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BuildRequest } from '../../../../../src/engine/options/builders/optionBuilder'
import { tarStream } from '../../../../../src/engine/options/builders/tarStream'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-tar-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const GIB = 2 ** 30

type Sources = Pick<BuildRequest, 'files'> & Partial<Pick<BuildRequest, 'folders' | 'symlinks'>>

/** The pieces of an archive up to its first byte of content, or all of them. */
async function piecesOf(sources: Sources, upToContent = false): Promise<Buffer> {
  const signal = new AbortController().signal
  const pieces: Uint8Array[] = []
  for await (const piece of tarStream({ ...sources, signal, onProgress: () => undefined })) {
    pieces.push(piece)
    if (upToContent) break
  }
  return Buffer.concat(pieces)
}

/** What GNU tar lists: one line a member, names with C escapes, times in whole seconds of UTC. */
function listed(archive: Buffer): string[] {
  const options = ['-tvf', '-', '--utc', '--full-time', '--quoting-style=escape', '--numeric-owner']
  const lines = execFileSync('tar', options, { input: archive, encoding: 'utf8', maxBuffer: 1 << 24 })
  return lines.trimEnd().split('\n')
}

function emptyFile(): string {
  const source = join(folder, 'empty')
  writeFileSync(source, '')
  return source
}

describe('a tar stream, as GNU tar lists it', () => {
  test.each([1, 99, 100, 101, 255, 256, 257, 1000])('has a name of %i bytes whole', async (length) => {
    const path = 'n'.repeat(length)
    const archive = await piecesOf({ files: [{ source: emptyFile(), path, bytes: 0, digest: null }] })
    expect(listed(archive).map((line) => line.split(' ').at(-1))).toEqual([path])
  })

  test.each([99, 100, 101, 255, 256, 257])('has a target of %i bytes whole', async (length) => {
    const source = join(folder, `link-${length}`)
    const target = 't'.repeat(length)
    symlinkSync(target, source)
    const archive = await piecesOf({ files: [], symlinks: [{ source, path: 'link', target }] })
    expect(listed(archive)[0]).toMatch(new RegExp(`^l.* link -> ${target}$`))
  })

  test.each([99, 100, 101])('has a folder of %i bytes and its slash whole', async (length) => {
    const path = 'd'.repeat(length)
    const archive = await piecesOf({ files: [], folders: [{ source: folder, path }] })
    expect(listed(archive)[0]).toMatch(new RegExp(`^d.* ${path}/$`))
  })

  test.each([8 * GIB - 1, 8 * GIB, 2 ** 41])('has the size of a file of %i bytes', async (bytes) => {
    const source = join(folder, `large-${bytes}`)
    writeFileSync(source, '')
    truncateSync(source, bytes)
    const head = (await piecesOf({ files: [{ source, path: 'large', bytes, digest: null }] }, true)).subarray(
      0,
      512,
    )
    rmSync(source)
    // Eleven octal digits and a zero byte, or base 256: a reader need not know octal without its end.
    const [first, last] = [head[124] as number, head[135] as number]
    expect(bytes < 8 * GIB ? last : first).toBe(bytes < 8 * GIB ? 0 : 0x80)
    // Cut short after the header: tar lists the member, then complains that the rest is missing.
    const shown = execFileSync('sh', ['-c', 'tar -tvf - 2> /dev/null || :'], {
      input: head,
      encoding: 'utf8',
    })
    expect(shown.split(/ +/)[2]).toBe(String(bytes))
  })

  test.each([
    ['1965-03-04 05:06:07', -152_391_233],
    ['1969-12-31 23:59:59', -1],
    ['1970-01-01 00:00:00', 0],
    ['2024-03-04 05:06:07', 1_709_528_767],
    ['2400-03-04 05:06:07', 13_574_927_167],
  ])('has a time of %s', async (time, seconds) => {
    const source = emptyFile()
    // A number below zero means now to Node, its text does not.
    utimesSync(source, String(seconds), String(seconds))
    const link = join(folder, `link-of-${seconds}`)
    symlinkSync('x', link)
    lutimesSync(link, String(seconds), String(seconds))
    const archive = await piecesOf({
      files: [{ source, path: 'file', bytes: 0, digest: null }],
      symlinks: [{ source: link, path: 'link', target: 'x' }],
    })
    expect(listed(archive).map((line) => line.includes(` ${time} `))).toEqual([true, true])
  })
})
