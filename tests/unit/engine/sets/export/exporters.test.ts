import { describe, expect, test } from 'vitest'
import type { PlanEntry } from '../../../../../src/contract/dto/plan'
import { escapeHtml } from '../../../../../src/engine/sets/export/reportHtml'
import { gigabytes, sizeText } from '../../../../../src/engine/sets/export/sizeText'
import { volumeNumber, volumePlaces } from '../../../../../src/engine/sets/volume/plannedVolume'
import { sha256Line } from '../../../../../src/engine/sets/volume/sha256Sums'
import { isoDate, withParents, xorrisoList } from '../../../../../src/engine/tools/xorrisoList'

const SUM = 'ab'.repeat(32)
const listing = {
  label: 'X_01',
  dateWallMs: 1_700_000_000_000,
  payload: { name: 'STOWAGE', directory: 'payload/S' },
}
const list = (entries: readonly PlanEntry[]): string[] =>
  [...xorrisoList(listing, entries)].join('').trimEnd().split('\n')

describe("xorriso's command list", () => {
  test('maps our own folder first, then the entries, and ends with dates and permissions', () => {
    const lines = list([
      { kind: 'folder', path: 'd', source: '/s/d' },
      { kind: 'file', path: 'd/a"b', source: '/s/d/a"b', bytes: 1, sha256: SUM },
      { kind: 'symlink', path: 'l', source: '/s/l', target: 'x' },
    ])
    const from = lines.indexOf('-map "payload/S" "/STOWAGE"')
    expect(from).toBeGreaterThan(0)
    expect(lines.slice(from + 1)).toEqual([
      '-map_single "/s/l" "/l"',
      '-map_single "/s/d" "/d"',
      '-map_single "/s/d/a\\x22b" "/d/a\\x22b"',
      '-alter_date_r b "=1700000000" "/STOWAGE" --',
      '-find / -exec mkisofs_r --',
    ])
    expect(lines).toContain('-volid "X_01"')
    expect(lines).toContain('-volume_date uuid 2023111422132000')
  })

  test('cuts parts out of the source without copying them', () => {
    const part: PlanEntry = {
      kind: 'part',
      path: 'big.002',
      source: '/s/big',
      bytes: 300,
      sha256: SUM,
      offset: 700,
      part: 2,
      parts: 2,
      wholePath: 'big',
      wholeBytes: 1000,
      wholeSha256: SUM,
    }
    expect(list([part])).toContain('-cut_out "/s/big" 700 300 "/big.002"')
  })

  test('creates folders that only contain other folders', () => {
    const lines = list([{ kind: 'file', path: 'a/b/c', source: '/s/c', bytes: 0, sha256: SUM }])
    expect(lines.filter((line) => line.startsWith('-mkdir'))).toEqual(['-mkdir "/a" --', '-mkdir "/a/b" --'])
  })

  /** Names that xorriso looks at: it keeps those of a folder sorted and looks for each from the beginning. */
  function lookedAt(paths: readonly string[]): number {
    const folders = new Map<string, string[]>([['', []]])
    let looks = 0
    for (const path of paths) {
      const names = path.split('/')
      for (const [depth, name] of names.entries()) {
        const inFolder = folders.get(names.slice(0, depth).join('/')) as string[]
        const place = inFolder.findIndex((other) => other >= name)
        looks += place < 0 ? inFolder.length : place
        if (inFolder[place] !== name) inFolder.splice(place < 0 ? inFolder.length : place, 0, name)
      }
      if (!folders.has(path)) folders.set(path, [])
    }
    return looks
  }

  test('adds names so that xorriso need not look for their places', () => {
    const folder = (path: string): PlanEntry => ({ kind: 'folder', path, source: `/s/${path}` })
    const file = (path: string): PlanEntry => ({
      kind: 'file',
      path,
      source: `/s/${path}`,
      bytes: 1,
      sha256: SUM,
    })
    const numbers = Array.from({ length: 300 }, (_, number) => String(number).padStart(3, '0'))
    const entries = [
      ...numbers.map((number) => file(`f${number}`)),
      ...numbers.flatMap((number) => [folder(`d${number}`), file(`d${number}/x`), file(`m${number}/deep/x`)]),
    ]
    const mapped = list(entries).flatMap(
      (line) => /^-(?:map_single .*|mkdir) "\/([^"]*)"(?: --)?$/.exec(line)?.[1] ?? [],
    )
    expect(mapped.toSorted()).toEqual(
      [...entries.map(({ path }) => path), ...numbers.flatMap((n) => [`m${n}`, `m${n}/deep`])].toSorted(),
    )
    expect(lookedAt(mapped)).toBe(0)
    expect(lookedAt([...withParents(entries)].map(({ path }) => path))).toBeGreaterThan(100_000)
  })

  test('never writes a command longer than xorriso takes', () => {
    const deep = Array.from({ length: 15 }, (_, level) => `${'\n'.repeat(250)}${level}`).join('/')
    const lines = list([{ kind: 'file', path: deep, source: `/${deep}`, bytes: 0, sha256: SUM }])
    for (const line of lines.filter((one) => !one.startsWith('-mkdir')))
      expect(line.length).toBeLessThan(4096)
    expect(lines.some((line) => line.startsWith('-cdx'))).toBe(true)
  })
})

test('dates are written in GMT and whole seconds', () => {
  expect(isoDate(Date.UTC(2026, 1, 3, 4, 5, 6, 789))).toBe('2026020304050600')
})

describe('checksum lines', () => {
  test('are those of sha256sum, with its escapes', () => {
    expect(sha256Line(SUM, ' a  b')).toBe(`${SUM}   a  b\n`)
    expect(sha256Line(SUM, 'a\\b\nc\rd')).toBe(`\\${SUM}  a\\\\b\\nc\\rd\n`)
  })
})

describe('figures for people', () => {
  test('show exact bytes and both units', () => {
    expect(sizeText(999)).toBe('999 bytes')
    expect(sizeText(1_234_567)).toBe('1,234,567 bytes (1.23 MB, 1.18 MiB)')
    expect(sizeText(25_025_314_816)).toBe('25,025,314,816 bytes (25.0 GB, 23.3 GiB)')
    expect(gigabytes(25_025_314_816)).toEqual({ gb: '25.025', gib: '23.307' })
  })
})

describe('places of volumes', () => {
  test('have as many digits as the last volume needs, and at least two', () => {
    expect(volumeNumber(3, 9)).toBe('03')
    expect(volumeNumber(3, 100)).toBe('003')
    expect(volumePlaces(1, 1).image).toBe('images/01.iso')
  })
})

test('names in the report cannot become markup or turn the line around', () => {
  expect(escapeHtml(`<b>"x" & 'y'\u202e\n`)).toBe('&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;\ufffd\u240a')
})
