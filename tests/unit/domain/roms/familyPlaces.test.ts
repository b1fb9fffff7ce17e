import { expect, it } from 'vitest'
import { type FamilyFile, familyPlaces } from '../../../../src/domain/roms/familyPlaces'

const placesOf = (files: readonly (readonly [path: string, family: number])[], ...names: string[]) =>
  [
    ...familyPlaces(
      files.map(([path, family]): FamilyFile => ({ path, family })),
      names,
    ),
  ].toSorted(([one], [other]) => one - other)

it('is in the deepest folder that all files of a family are below', () => {
  const files = [
    ['NES/Alpha/a.bin', 0],
    ['NES/Alpha (Japan)/a.bin', 0],
    ['NES/Beta/b.bin', 1],
    ['NES/Beta/more/c.bin', 1],
    ['NES/c.bin', 2],
    ['GB/c.bin', 2],
    ['NESX/d.bin', 3],
    ['NES/d.bin', 3],
    ['top.bin', 4],
    ['a/b/c/top.bin', 4],
  ] as const
  expect(placesOf(files, 'Alpha', 'Beta', 'Gamma', 'Delta', 'Top')).toEqual([
    [0, 'NES/Alpha'],
    [1, 'NES/Beta'],
    [2, 'Gamma'],
    [3, 'Delta'],
    [4, 'Top'],
  ])
})

it('is one of its own where others have the name, also in other letters', () => {
  const files = [
    ['x/a', 2],
    ['x/b', 1],
    ['x/c', 0],
    ['y/d', 3],
  ] as const
  expect(placesOf(files, 'Tetris', 'TETRIS', 'Tetris', 'Tetris')).toEqual([
    [0, 'x/Tetris'],
    [1, 'x/TETRIS 2'],
    [2, 'x/Tetris 3'],
    [3, 'y/Tetris'],
  ])
})

it('is a name that every system keeps, and none for families without a name', () => {
  const long = 'ä'.repeat(200)
  const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((path, family) => [path, family] as const)
  const places = placesOf(files, 'a: b/c\\d?', '...', 'dots. .', long, 'a_ b_c_d_')
  expect(places).toEqual([
    [0, 'a_ b_c_d_'],
    [1, '_'],
    [2, 'dots'],
    [3, 'ä'.repeat(120)],
    [4, 'a_ b_c_d_ 2'],
  ])
})
