import { expect, test } from 'vitest'
import { windowsDrive } from '../../../../../src/engine/sets/write/windowsDrives'

const NO_DISC = { device: 'D:', hasDisc: false, fileSystem: '', label: '', bytes: 0 }

test('a drive of Windows without a disc has none', () => {
  expect(windowsDrive(NO_DISC)).toEqual({
    device: 'D:',
    vendor: null,
    model: null,
    medium: null,
    problem: null,
  })
})

test('a disc with a file system is named by it and by its label', () => {
  const drive = windowsDrive({
    ...NO_DISC,
    hasDisc: true,
    fileSystem: 'UDF',
    label: 'PHOTOS_01',
    bytes: 4097,
  })
  expect(drive.medium).toMatchObject({ name: 'UDF, PHOTOS_01', blank: false, usedSectors: 3 })
  expect(windowsDrive({ ...NO_DISC, hasDisc: true, fileSystem: 'CDFS' }).medium?.name).toBe('CDFS')
})

test('a disc that Windows cannot read may be blank, which the drive does not report', () => {
  expect(windowsDrive({ ...NO_DISC, hasDisc: true })).toMatchObject({
    medium: null,
    problem: 'the disc is blank, or of no kind that Windows reads',
  })
})
