import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { icns, ico, iconsOf } from '../../../../scripts/packaging/icons.mjs'
import { temporaryFolder } from '../../../support/surveyedFolder'

const SOURCE = 'assets/icons/stowage.png'

/** Rows of a PNG that was written without filters. */
function rows(png: Buffer): Buffer {
  const at = png.indexOf('IDAT')
  return inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
}

it('an icon of the same size has the same pixels, whatever filters the source has', () => {
  const folder = temporaryFolder()
  const copy = join(folder, 'copy.png')
  const once = iconsOf(SOURCE, [512]).get(512) as Buffer
  writeFileSync(copy, once)
  expect(rows(iconsOf(copy, [512]).get(512) as Buffer)).toEqual(rows(once))
  expect(readFileSync(SOURCE).readUInt32BE(16)).toBe(512)
})

it('a smaller icon is transparent outside of the rounded corner and opaque within', () => {
  const pixels = rows(iconsOf(SOURCE, [48]).get(48) as Buffer)
  const alpha = (row: number, column: number): number | undefined =>
    pixels[row * (48 * 4 + 1) + 1 + column * 4 + 3]
  expect([alpha(0, 0), alpha(24, 24)]).toEqual([0, 255])
})

it('the icons of Windows and macOS hold each picture whole', () => {
  const icons = iconsOf(SOURCE, [16, 256])
  const windows = ico(icons)
  expect(windows.readUInt16LE(4)).toBe(2)
  for (const [index, png] of [...icons.values()].entries()) {
    const [length, offset] = [windows.readUInt32LE(14 + 16 * index), windows.readUInt32LE(18 + 16 * index)]
    expect(windows.subarray(offset, offset + length)).toEqual(png)
  }
  const mac = icns(icons)
  expect(mac.readUInt32BE(4)).toBe(mac.length)
  for (const png of icons.values()) expect(mac.indexOf(png)).toBeGreaterThan(0)
})

it('a picture of another kind is refused by name', () => {
  const file = join(temporaryFolder(), 'grey.png')
  const grey = readFileSync(SOURCE)
  grey[25] = 0
  writeFileSync(file, grey)
  expect(() => iconsOf(file, [16])).toThrow(`${file} is no square PNG`)
})
