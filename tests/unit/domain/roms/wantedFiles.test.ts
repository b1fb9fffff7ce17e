import { describe, expect, it } from 'vitest'
import { DIGEST_KINDS, isSameContent } from '../../../../src/domain/roms/dat'
import { type RomSet, romSets } from '../../../../src/domain/roms/romSets'
import { formed, isDumped, type Wanted, WantedFiles } from '../../../../src/domain/roms/wantedFiles'
import { ROM_LAYOUTS } from '../../../../src/domain/survey/romLayout'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { datOf, drawnDat, fileOf, gameOf } from '../../../support/madeDats'

/** A DAT with a large ROM set, ROM sets of one file, and names that are composed in two ways. */
function large(seed: number): RomSet[] {
  const random = seededRandom(seed)
  const files = Array.from({ length: 90 }, (_, at) => fileOf(`${at % 60} é${at % 7}.bin`, `${at}`))
  const games = [
    gameOf('large', { files }),
    gameOf('system/sub', { files: files.slice(0, 3) }),
    gameOf('e\u0301toile', { files: [fileOf('étoile.nes', 'x')] }),
    gameOf('one', { files: [fileOf('one.rom', `${random.below(9)}`)] }),
    gameOf('sub', { files: [fileOf('sub.bin', 'y'), fileOf('other.bin', '')] }),
  ]
  return romSets(datOf(games), 'split').sets
}

const SETS: readonly RomSet[][] = [
  ...Array.from({ length: 30 }, (_, seed) =>
    ROM_LAYOUTS.map((layout) => romSets(drawnDat(seed), layout).sets),
  ).flat(),
  ...Array.from({ length: 5 }, (_, seed) => large(seed)),
]

/** The same found by looking at each file. */
function placesOneByOne(all: readonly Wanted[], parts: readonly string[], isMember: boolean): Wanted[] {
  const path = `/${parts.join('/')}`
  return all.filter(({ set, held }) => {
    const [folder, name] = [formed(set.name), formed(held.name)]
    const isAlone = !isMember && set.files.length === 1 && name.replace(/\.[^.]*$/, '') === folder
    return path.endsWith(`/${folder}/${name}`) || (isAlone && parts.at(-1) === name)
  })
}

describe('wanted files', () => {
  it('are those of the ROM sets that somebody has dumped, in their order', () => {
    for (const sets of SETS)
      expect(new WantedFiles(sets).all.map(({ held }) => held)).toEqual(
        sets.flatMap(({ files }) => files.filter(({ file }) => isDumped(file))),
      )
  })

  it('are found by content, whichever checksums a content of their size has', () => {
    for (const sets of SETS) {
      const wanted = new WantedFiles(sets)
      for (const { held } of wanted.all) {
        const { bytes } = held.file
        const kinds = bytes === null ? new Set(DIGEST_KINDS) : wanted.kindsFor(bytes)
        const all = { bytes, crc: 'none', md5: 'none', sha1: 'none', sha256: 'none' }
        const content = { ...all }
        for (const kind of DIGEST_KINDS)
          Object.assign(content, { [kind]: kinds.has(kind) ? (held.file[kind] ?? `other ${kind}`) : null })
        const expected = wanted.all.filter(
          (one) => (bytes === 0 && one.held.file.bytes === 0) || isSameContent(one.held.file, content),
        )
        const found = new Set(wanted.withContent(content))
        expect(expected.filter((one) => !found.has(one))).toEqual([])
        expect(found.size).toBe(expected.length)
        expect(wanted.hasContent(content)).toBe(expected.length > 0)
        expect(wanted.hasContent(all)).toBe(bytes === 0)
      }
    }
  })

  it('of disks are found by the SHA-1 that a CHD states', () => {
    const disk = fileOf('cd', 'x', { kind: 'disk', bytes: null, crc: null, sha256: null })
    const { sets } = romSets(datOf([gameOf('game', { files: [disk] })]), 'split')
    const { sha1 } = disk
    const content = { bytes: null, crc: null, md5: null, sha1, sha256: null }
    expect(new WantedFiles(sets).withContent(content)).toHaveLength(1)
  })

  it('are found at their places and by their names', () => {
    for (const sets of SETS) {
      const wanted = new WantedFiles(sets)
      const paths = wanted.all.flatMap(({ set, held }) => [
        ['above', ...formed(set.name).split('/'), ...formed(held.name).split('/')],
        ['above', formed(held.name).split('/').at(-1) ?? ''],
        ['elsewhere', `no ${held.name}`],
      ])
      for (const parts of paths)
        for (const isMember of [true, false]) {
          const expected = new Set(placesOneByOne(wanted.all, parts, isMember))
          expect(new Set(wanted.atPlace(parts, isMember))).toEqual(expected)
        }
      for (const { set, held } of wanted.all) {
        expect(wanted.withName(formed(held.name).split('/').at(-1) ?? '')).toContainEqual({ set, held })
        expect(wanted.ofSet(formed(set.name))).toEqual(
          wanted.all.filter((one) => formed(one.set.name) === formed(set.name)),
        )
      }
    }
  })
})
