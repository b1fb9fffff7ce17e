import { describe, expect, it } from 'vitest'
import { namePattern } from '../../../../src/engine/catalog/namePattern'
import { wantedOf } from '../../../../src/engine/sets/restore/wantedFiles'
import type { FileRow } from '../../../../src/engine/sets/volume/lists/setIndex'
import { pathFromBytes } from '../../../../src/primitives/pathText'

const COMPOSED = 'Ordner/Z\u00fcrich caf\u00e9.txt'
const DECOMPOSED = COMPOSED.normalize('NFD')

/** LIKE with `\` as its escape, as SQLite has it for ASCII letters. */
function isLike(like: string, path: string): boolean {
  const source = like.replaceAll(/\\?./gsu, (part) =>
    part === '%'
      ? '[^]*'
      : part === '_'
        ? '[^]'
        : (part.at(-1)?.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&') ?? ''),
  )
  return new RegExp(`^${source}$`, 'i').test(path)
}

describe('a pattern for names', () => {
  it.each(['Z\u00fcrich', '*z\u00fcrich*', 'Ordner/*', '*.TXT', '*caf?.txt', 'ordner/z\u00fcrich*'])(
    '%s finds a name however its letters are composed',
    (pattern) => {
      for (const typed of [pattern, pattern.normalize('NFD')])
        for (const path of [COMPOSED, DECOMPOSED]) {
          const { like, matches } = namePattern(typed)
          expect(matches(path)).toBe(true)
          expect(isLike(like, path)).toBe(true)
        }
    },
  )

  it('finds names that are not UTF-8 by what is', () => {
    const path = pathFromBytes(Buffer.from([0x61, 0xfc, 0x62, 0x2e, 0x74]))
    expect(namePattern('a?b.t').matches(path)).toBe(true)
    expect(namePattern('a\u00fcb.t').matches(path)).toBe(false)
  })
})

describe('files to be restored', () => {
  const row = (path: string): FileRow => ({
    kind: 'file',
    volume: 1,
    label: 'SET_1',
    path,
    mode: null,
    mtimeNs: null,
    owner: null,
    attributes: [],
    method: null,
    bytes: 1,
    sector: null,
    sha256: '',
    linkOf: null,
    holes: false,
    packed: null,
  })
  const index = { id: '', rows: [row(DECOMPOSED), row('other')], unreadable: [], volumes: [] }

  it.each([COMPOSED, DECOMPOSED, 'Ordner', 'Ordner/', 'ordner/*z\u00fcrich*'])(
    'are named by %s',
    (pattern) => {
      expect(wantedOf(index, { files: [pattern] }).files.map(({ path }) => path)).toEqual([DECOMPOSED])
    },
  )

  it('read each path of the index a few times, however many paths are asked for', () => {
    let reads = 0
    const counted = Array.from({ length: 100 }, (_, number) => {
      const each = row('')
      return Object.defineProperty(each, 'path', {
        get: () => {
          reads++
          return `folder/${number}`
        },
      })
    })
    const files = Array.from({ length: 1000 }, (_, number) => `folder/${number}`)
    const missing = new Set<string>()
    const { files: found } = wantedOf({ ...index, rows: counted }, { files }, missing)
    expect(found).toHaveLength(100)
    expect(missing.size).toBe(900)
    expect(reads).toBeLessThan(10 * counted.length)
  })

  it('are not named by the beginning of a name', () => {
    expect(() => wantedOf(index, { files: ['Ordn'] })).toThrow('nothing in this set matches')
  })
})
