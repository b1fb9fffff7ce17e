import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { contentOf, requestFor } from '../../support/buildSource'
import { type BuildPlace, buildPlace, bytesBelow, makeTitles, wordsOf } from '../../support/builtOption'
import { mostlyLong } from '../../support/mostlyLong'

let place: BuildPlace
beforeEach(() => {
  place = buildPlace()
})
afterEach(() => place.dispose())

const EVERYTHING = { folders: true, links: true }

describe('plain folders', () => {
  it('have everything with its name, mode and time', async () => {
    makeHostileTree(place.source, { seed: 8 })
    chmodSync(join(place.source, 'a;b'), 0o640)
    utimesSync(join(place.source, 'a;b'), 1_000_000, 1_000_000)
    mkdirSync(join(place.source, 'closed'), { mode: 0o500 })
    const { built, path } = await place.build('plain')
    expect(contentOf(path, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
    expect(statSync(join(path, 'a;b'))).toMatchObject({ mode: 0o100640, mtimeMs: 1_000_000_000 })
    expect(statSync(join(path, 'closed')).mode).toBe(0o40700)
    expect(built.bytes).toBe(
      requestFor([place.source], place.folder, 'plain').files.reduce((sum, f) => sum + f.bytes, 0),
    )
    rmSync(path, { recursive: true })
  })

  it.each([false, true])('have equal files once, by digest: %s', async (withDigests) => {
    makeTitles(place.source)
    for (const name of ['empty', 'empty too']) writeFileSync(join(place.source, name), '')
    const request = requestFor([place.source], place.folder, 'plain')
    const files = request.files.map(({ source, path, bytes }) => {
      const digest = withDigests ? createHash('sha256').update(readFileSync(source)).digest('hex') : null
      return { source, path, bytes, digest }
    })
    const { built, path } = await place.build('plain-hardlinks', { files })
    expect(contentOf(path, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
    const of = (name: string) => lstatSync(join(path, name))
    expect(of('other/Title 0 (E).rom').ino).toBe(of('good/Title 0 (E).rom').ino)
    expect(of('other/Title 2 (E).rom').nlink).toBe(1)
    expect(of('empty').nlink).toBe(1)
    expect(built.bytes).toBe(8 * 30_000 + 4 * 7)
    expect(built.notes).toEqual(['4 files are hard links, which have the mode and time of the first'])
  })
})

describe('compressed files', () => {
  const READERS: Readonly<Record<string, (bytes: Buffer, path: string) => Buffer>> = {
    'files-gzip-6': (bytes) => gunzipSync(bytes),
    'files-gzip-9': (_, path) => execFileSync('gzip', ['-dc', path], { maxBuffer: 1e9 }),
    'files-zstd-3': (_, path) => execFileSync('zstd', ['-dcq', path], { maxBuffer: 1e9 }),
    'files-zstd-19': (bytes) => zstdDecompressSync(bytes),
    'files-lz4': (_, path) => execFileSync('lz4', ['-dcq', path], { maxBuffer: 1e9 }),
  }

  mostlyLong(it, Object.entries(READERS), ([variant]) => /gzip-9|lz4/.test(variant))(
    '%s are read back by the real tool and are the same again',
    async (variant, read) => {
      mkdirSync(join(place.source, 'sub', 'empty'), { recursive: true })
      const contents: Record<string, Buffer> = {
        'sub/text.txt': Buffer.from(wordsOf(1, 6_000_000 / (variant === 'files-zstd-19' ? 6 : 1))),
        'already.gz': Buffer.from(wordsOf(2, 3000)),
        '-leading\n': Buffer.from('x'),
        'sub/nothing': Buffer.alloc(0),
        'sub/zeros': Buffer.alloc(4 * 1024 * 1024),
      }
      for (const [name, content] of Object.entries(contents)) writeFileSync(join(place.source, name), content)
      const seen: (number | null)[] = []
      const { built, path } = await place.build(variant, { onProgress: (done) => seen.push(done) })
      const ending = variant.includes('gzip') ? '.gz' : variant.includes('zstd') ? '.zst' : '.lz4'
      for (const [name, content] of Object.entries(contents)) {
        const at = join(path, name + ending)
        expect(read(readFileSync(at), at).equals(content), name).toBe(true)
      }
      expect(bytesBelow(path).size).toBe(5)
      expect(statSync(join(path, 'sub', 'empty')).isDirectory()).toBe(true)
      expect(seen.at(-1)).toBe(Object.values(contents).reduce((sum, { length }) => sum + length, 0))
      expect(contentOf(place.source, EVERYTHING).size).toBe(7)
      expect(built.bytes).toBe([...bytesBelow(path).values()].reduce((sum, { length }) => sum + length, 0))
      const again = await place.build(variant)
      expect(bytesBelow(again.path)).toEqual(bytesBelow(path))
    },
  )

  it('of gzip are as large as gzip itself makes them, with their names', async () => {
    writeFileSync(join(place.source, 'text.txt'), wordsOf(3, 200_000))
    const { built } = await place.build('files-gzip-9')
    const real = execFileSync('gzip', ['-9', '-c', 'text.txt'], { cwd: place.source })
    expect(built).toMatchObject({ tool: 'gzip', bytes: real.length })
  })

  it('of gzip include programs that run as their owner or group, which gzip itself ignores', {
    tags: 'long',
  }, async () => {
    for (const [name, mode] of [
      ['program', 0o755],
      ['as owner', 0o4755],
      ['as group', 0o2755],
    ] as const) {
      writeFileSync(join(place.source, name), wordsOf(mode, 20_000))
      chmodSync(join(place.source, name), mode)
    }
    const { path } = await place.build('files-gzip-6')
    for (const name of readdirSync(place.source))
      expect(gunzipSync(readFileSync(join(path, `${name}.gz`)))).toEqual(
        readFileSync(join(place.source, name)),
      )
  })

  it('keep names of any bytes', { tags: 'long' }, async () => {
    makeHostileTree(place.source, { seed: 9 })
    for (const { source, bytes } of requestFor([place.source], place.folder, 'plain').files) {
      if (bytes > 0 && source.split('/').at(-1)?.length === 255) rmSync(source)
    }
    rmSync(Buffer.concat([Buffer.from(`${place.source}/`), Buffer.from('é'.repeat(127))]))
    const { path } = await place.build('files-gzip-6')
    const zipped = contentOf(path, { folders: false, links: true })
    const plain = contentOf(place.source, { folders: false, links: true })
    const named = [...plain].map(([name, content]) => (/^(link|folder)/.test(content) ? name : `${name}.gz`))
    expect([...zipped.keys()].toSorted()).toEqual(named.toSorted())
    writeFileSync(join(place.source, 'n'.repeat(255)), 'x')
    await expect(place.build('files-zstd-3')).rejects.toMatchObject({ code: 'name-unsupported' })
  })
})
