import { describe, expect, it } from 'vitest'
import { beatenText, type Compared, chosenText } from '../../../../../src/domain/options/choice/because'
import { floorsOf } from '../../../../../src/domain/options/choice/floors'
import { weightsOf } from '../../../../../src/domain/options/choice/goals'
import { meritsOf } from '../../../../../src/domain/options/choice/merits'
import type { OptionRow } from '../../../../../src/domain/options/choice/option'
import {
  FOLDER_READERS,
  GZIP_READERS,
  SQUASHFS_ZSTD_READERS,
} from '../../../../../src/domain/options/recipes/readers'
import { exact } from '../../../../../src/primitives/estimate'
import { about, optionUnderTest } from '../optionUnderTest'

const FLOORS = floorsOf({ memoryBytes: 8e9 })

function compared(option: OptionRow): Compared {
  const { low, high } = option.estimate.bytes
  const merits = meritsOf(option, FLOORS)
  const contender = { group: 'disk', merits, bytesLow: low, bytesHigh: high, sizeFloor: 0 }
  return { option, contender: { ...contender, isElsewhere: false, reach: 0, steps: 0 } }
}

const plain = compared(
  optionUnderTest(
    'plain',
    { bytes: exact(809e6, 'counted'), buildSeconds: about(4), restoreSeconds: about(3) },
    { shortName: 'Plain files', access: 'inPlace', readers: FOLDER_READERS, portability: 1 },
  ),
)
const squashfs = compared(
  optionUnderTest(
    'squashfs',
    { bytes: about(653e6), buildSeconds: about(20), restoreSeconds: about(1) },
    {
      family: 'squashfs',
      shortName: 'SquashFS with zstd',
      access: 'mount',
      readers: SQUASHFS_ZSTD_READERS,
      portability: 2 / 3,
    },
  ),
)

function reason(
  chosen: Compared,
  other: Compared | null,
  goal: 'balanced' | 'fastestBuild',
  least = 653e6,
): string {
  return chosenText(chosen, other, {
    weights: weightsOf(goal, null),
    floors: FLOORS,
    leastBytes: least,
    leastVolumes: 1,
    namesMedium: false,
    extreme: null,
  })
}

describe('a reason', () => {
  it('names what decided, how the files are used, and what plain files would have over it', () => {
    expect(reason(squashfs, plain, 'balanced')).toBe(
      'SquashFS with zstd: 653 MB instead of 809, mounts on Linux, restores in under 10 s; plain files would be readable everywhere.',
    )
  })

  it('names the figure of the goal, and no difference that nobody feels', () => {
    expect(reason(squashfs, plain, 'fastestBuild')).toContain('made in about 20 s, restores in under 10 s')
    expect(reason(plain, squashfs, 'fastestBuild')).toBe(
      'Plain files: 809 MB, open in place everywhere, made in under 10 s, restore in under 10 s; SquashFS with zstd would take 653 MB.',
    )
  })

  it('says how little packing saves where plain files win by it', () => {
    const iso = compared(
      optionUnderTest('iso', { bytes: about(809.4e6) }, { family: 'iso', shortName: 'ISO image' }),
    )
    expect(reason(plain, iso, 'balanced', 800e6)).toMatch(/; packing saves 1\.1 % at most\.$/)
    const onDisc = { ...plain, contender: { ...plain.contender, sizeFloor: 1.25e9 } }
    expect(reason(onDisc, iso, 'balanced')).toMatch(/; packing would take 653 MB on as many volumes\.$/)
    expect(reason(plain, iso, 'balanced', 809e6)).toMatch(/; packing would not make them smaller\.$/)
  })

  it('compares the figure that a goal takes to its extreme, even below the floor', () => {
    const squeezed = compared(
      optionUnderTest('7z', { bytes: about(780e6) }, { family: 'seven-zip-solid', shortName: 'Solid 7z' }),
    )
    const reasons = {
      weights: weightsOf('smallest', null),
      floors: FLOORS,
      leastBytes: 780e6,
      leastVolumes: 1,
      namesMedium: false,
    }
    expect(chosenText(squeezed, plain, { ...reasons, extreme: 'bytes' })).toContain('780 MB instead of 809,')
    expect(chosenText(squeezed, plain, { ...reasons, extreme: null })).not.toContain('instead of 809')
  })

  it('names every system where the files are read, and the program for those that need one', () => {
    const gzip = compared(
      optionUnderTest('gzip', {}, { family: 'compressed-files', shortName: 'Gzip', readers: GZIP_READERS }),
    )
    expect(reason(gzip, null, 'balanced')).toContain('unpacks on Linux and macOS and with 7-Zip on Windows')
  })

  it('counts discs, and says where nothing else is possible', () => {
    const estimate = { ...squashfs.option.estimate, bytes: about(60e9), volumes: exact(3, 'discs') }
    const discs = compared({ ...squashfs.option, estimate })
    expect(reason(discs, null, 'balanced')).toMatch(/60\.0 GB on 3 volumes, .+; nothing else is possible\.$/)
  })
})

describe('what dominates an option', () => {
  it('is named with its two largest gains', () => {
    const figures = [
      { figure: 'bytes', ratio: 0.88 },
      { figure: 'restoreSeconds', ratio: 0.32 },
      { figure: 'ramBytes', ratio: 0.9 },
    ] as const
    expect(beatenText(squashfs.option, plain.option, figures)).toBe(
      'SquashFS with zstd restores 3.13 times as fast and is 12.0 % smaller',
    )
    expect(beatenText(plain.option, squashfs.option, [{ figure: 'portability', ratio: 0 }])).toBe(
      'Plain files are as good and readable on more systems',
    )
  })

  it('is called simpler where it is better in no figure, in full where both are of one kind', () => {
    const larger = { ...squashfs.option, name: 'SquashFS image, zstd-3, blocks of 1 MiB' }
    expect(beatenText(larger, squashfs.option, [])).toBe(
      'SquashFS image, zstd-3, blocks of 1 MiB is as good and simpler, or no different',
    )
  })
})

describe('volumes in a reason', () => {
  it('are every number that is possible where the size decides on one more', () => {
    const range = (value: number, low: number, high: number) => ({ ...about(value), low, high })
    const unsure = compared(
      optionUnderTest(
        '7z',
        { bytes: range(636e6, 500e6, 760e6), volumes: range(1, 1, 2) },
        { shortName: '7z' },
      ),
    )
    expect(reason(unsure, null, 'balanced')).toMatch(/^7z: 636 MB on 1 or 2 volumes,/)
    const wide = compared(
      optionUnderTest('7z', { bytes: range(9e9, 7e9, 12e9), volumes: range(4, 3, 5) }, { shortName: '7z' }),
    )
    expect(reason(wide, null, 'balanced')).toMatch(/^7z: 9.00 GB on 3 to 5 volumes,/)
    const sure = compared(
      optionUnderTest(
        '7z',
        { bytes: range(636e6, 600e6, 690e6), volumes: range(1, 1, 1) },
        { shortName: '7z' },
      ),
    )
    expect(reason(sure, null, 'balanced')).toMatch(/^7z: 636 MB,/)
  })
})
