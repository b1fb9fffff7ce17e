import { describe, expect, it } from 'vitest'
import type { Dat } from '../../../../src/domain/roms/dat'
import { layoutOf, romSets } from '../../../../src/domain/roms/romSets'
import { ROM_LAYOUTS, type RomLayout } from '../../../../src/domain/survey/romLayout'
import { datOf, drawnDat, fileOf, gameOf } from '../../../support/madeDats'

/** The names of the files of each ROM set. */
function layOut(dat: Dat, layout: RomLayout): Record<string, string[]> {
  return Object.fromEntries(
    romSets(dat, layout).sets.map(({ name, files }) => [name, files.map((held) => held.name)]),
  )
}

const notesOf = (dat: Dat, layout: RomLayout = 'split'): string[] =>
  romSets(dat, layout).notes.map(({ text }) => text)

const bios = fileOf('bios.rom', 'bios')
const shared = fileOf('shared.rom', 'shared')
const arcade = datOf([
  gameOf('bios', { isBios: true, files: [bios] }),
  gameOf('parent', {
    romOf: 'bios',
    files: [{ ...bios, merge: 'bios.rom' }, shared, fileOf('own.rom', 'parent')],
    devices: ['board'],
  }),
  gameOf('clone', {
    cloneOf: 'parent',
    romOf: 'parent',
    files: [
      { ...bios, merge: 'bios.rom' },
      { ...shared, name: 'renamed.rom', merge: 'shared.rom' },
      fileOf('own.rom', 'clone'),
    ],
  }),
  gameOf('board', { isDevice: true, files: [fileOf('board.rom', 'board')], devices: ['chip'] }),
  gameOf('chip', { isDevice: true, files: [fileOf('chip.rom', 'chip')], devices: ['board'] }),
  gameOf('nothing', { isDevice: true }),
])

describe('ROM sets', () => {
  it('are split: without what a parent or a BIOS has', () => {
    expect(layOut(arcade, 'split')).toEqual({
      bios: ['bios.rom'],
      parent: ['shared.rom', 'own.rom'],
      clone: ['own.rom'],
      board: ['board.rom'],
      chip: ['chip.rom'],
    })
  })

  it('are merged: parents with the files of their clones, in a folder where the name is used', () => {
    expect(layOut(arcade, 'merged')).toEqual({
      bios: ['bios.rom'],
      parent: ['shared.rom', 'own.rom', 'clone/own.rom'],
      board: ['board.rom'],
      chip: ['chip.rom'],
    })
  })

  it('are non-merged: each with its BIOS, its parent’s files and its devices', () => {
    expect(layOut(arcade, 'non-merged')).toEqual({
      bios: ['bios.rom'],
      parent: ['bios.rom', 'shared.rom', 'own.rom', 'board.rom', 'chip.rom'],
      clone: ['bios.rom', 'renamed.rom', 'own.rom'],
      board: ['board.rom', 'chip.rom'],
      chip: ['chip.rom', 'board.rom'],
    })
  })

  it('have a BIOS of which the game lists nothing where they are non-merged', () => {
    const dat = datOf([
      arcade.games[0] as never,
      gameOf('game', { romOf: 'bios', files: [fileOf('a', 'a')] }),
    ])
    expect(layOut(dat, 'non-merged')['game']).toEqual(['a', 'bios.rom'])
    expect(layOut(dat, 'split')['game']).toEqual(['a'])
  })

  it('hold one content once, and disks as CHDs', () => {
    const twice = gameOf('game', {
      files: [fileOf('a', 'a'), fileOf('a', 'a'), fileOf('d', 'd', { kind: 'disk', bytes: null })],
    })
    for (const layout of ROM_LAYOUTS) expect(layOut(datOf([twice]), layout)).toEqual({ game: ['a', 'd.chd'] })
    expect(notesOf(datOf([twice]))).toEqual([])
    const two = gameOf('game', { files: [fileOf('a', 'a'), fileOf('a', 'b')] })
    expect(notesOf(datOf([two]))).toEqual(['game "game" lists two different files named "a"'])
  })

  it('are laid out as the DAT asks for', () => {
    const asked = (forceMerging: string | null): RomLayout => layoutOf(datOf([], { forceMerging }))
    expect([null, 'split', 'full', 'merged', 'none'].map(asked)).toEqual([
      'split',
      'split',
      'merged',
      'merged',
      'non-merged',
    ])
  })
})

describe('links that lead nowhere', () => {
  const file = [fileOf('a', 'a')]

  it('are dropped in a circle, of which each game counts as a parent', () => {
    const dat = datOf([
      gameOf('a', { cloneOf: 'b', files: file }),
      gameOf('b', { cloneOf: 'c', files: file }),
      gameOf('c', { cloneOf: 'a', files: file }),
      gameOf('d', { cloneOf: 'a', romOf: 'd', files: file }),
    ])
    for (const layout of ROM_LAYOUTS)
      expect(notesOf(dat, layout)).toEqual([
        'the games "a", "b" and "c" name each other as parents: each counts as one',
      ])
    expect(romSets(dat, 'merged').notes[0]?.count).toBe(2)
    expect(Object.keys(layOut(dat, 'merged'))).toEqual(['a', 'b', 'c'])
  })

  it('are noted with games that are not in the DAT, and files that a parent does not have', () => {
    const lost = fileOf('x', 'x', { merge: 'y' })
    expect(notesOf(datOf([gameOf('a', { cloneOf: 'gone', files: [lost] })]))).toEqual([
      'game "a" names "gone", which is not in the DAT',
      'game "a" takes "y" from a parent that does not have it: it counts as its own',
    ])
  })

  it('are noted with names that are used twice, or differ in case alone', () => {
    const dat = datOf([
      gameOf('a', { files: file }),
      gameOf('a', { files: file }),
      gameOf('A', { files: file }),
    ])
    expect(notesOf(dat)).toEqual([
      'more than one game is named "a"',
      'the games "a" and "A" differ only in upper and lower case',
    ])
    expect(Object.keys(layOut(dat, 'split'))).toEqual(['a', 'A'])
  })
})

describe('every DAT', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'keeps each file in some ROM set: seed %i',
    (seed) => {
      const dat = drawnDat(seed)
      const names = new Set(dat.games.map(({ name }) => name))
      const first = [...names].map((name) => dat.games.find((game) => game.name === name))
      for (const layout of ROM_LAYOUTS) {
        const { sets } = romSets(dat, layout)
        const held = sets.flatMap(({ files }) => files.map(({ file }) => file))
        for (const { name, files } of sets) {
          const paths = files.map(
            (each) =>
              `${each.name}\n${each.file.sha1}${each.file.crc}${each.file.md5}${each.file.sha256}${each.file.bytes}`,
          )
          expect(new Set(paths).size, name).toBe(paths.length)
        }
        for (const game of first)
          for (const file of game?.files ?? [])
            if (file.merge === null && file.status !== 'nodump')
              expect(held.some((other) => other.sha1 === file.sha1 && other.crc === file.crc)).toBe(true)
      }
    },
  )
})
