import { expect, test } from 'vitest'
import { freePlaces } from '../../../../../src/engine/options/builders/freePlaces'

test('archives of several parts have places of their own, also where case does not count', () => {
  expect(
    freePlaces([
      ['a/Game.7z', 'b.gz'],
      ['a/game.7z', 'A/GAME.7z', 'c'],
      ['c', 'b.gz'],
    ]),
  ).toEqual([
    ['a/Game.7z', 'b.gz'],
    ['a/game 2.7z', 'A/GAME 3.7z', 'c'],
    ['c 2', 'b 2.gz'],
  ])
})

test('an archive does not take the place of a folder', () => {
  expect(freePlaces([['song.7z'], ['song.7z/a.gz', 'x/.hidden']])).toEqual([
    ['song 2.7z'],
    ['song.7z/a.gz', 'x/.hidden'],
  ])
})
