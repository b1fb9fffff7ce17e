import { expect, it } from 'vitest'
import {
  BORG_READERS,
  FOLDER_READERS,
  SEVEN_ZIP_READERS,
  SQUASHFS_ZSTD_READERS,
} from '../../../../../src/domain/options/recipes/readers'
import { easiestWay, isUsedInPlace, readingWays } from '../../../../../src/domain/options/recipes/readingWays'

it('lists the easiest task first, with one program for each system', () => {
  const ways = readingWays(SQUASHFS_ZSTD_READERS)
  expect(ways.map(({ task, system, tool }) => [task, system, tool])).toEqual([
    ['mount', 'linux', 'the system'],
    ['unpack', 'macos', '7-Zip'],
    ['unpack', 'windows', '7-Zip'],
  ])
})

it('prefers the means of a system to a program', () => {
  const ways = readingWays(SEVEN_ZIP_READERS)
  expect(ways.map(({ system, builtIn }) => [system, builtIn])).toEqual([
    ['linux', false],
    ['macos', true],
    ['windows', true],
  ])
})

it('distinguishes use in place from unpacking', () => {
  const usable = (readers: Parameters<typeof readingWays>[0]): boolean[] =>
    (['linux', 'macos', 'windows'] as const).map((system) => isUsedInPlace(readingWays(readers), system))
  expect(usable(FOLDER_READERS)).toEqual([true, true, true])
  expect(usable(SQUASHFS_ZSTD_READERS)).toEqual([true, false, false])
  expect(usable(SEVEN_ZIP_READERS)).toEqual([false, false, false])
  expect(usable(BORG_READERS)).toEqual([true, true, false])
  expect(easiestWay(readingWays(BORG_READERS), 'windows')).toBeNull()
})
