import { describe, expect, it } from 'vitest'
import { diskContent, HEAD_BYTES, isDiscContent } from '../../../../src/engine/images/diskContent'

/** A head of zeros with texts at offsets. */
function headWith(...texts: readonly (readonly [offset: number, text: string])[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  for (const [offset, text] of texts) head.write(text, offset, 'latin1')
  return head
}

const SECTOR = 2048
const ISO = [16 * SECTOR + 1, 'CD001'] as const
const UDF = [18 * SECTOR + 1, 'BEA01'] as const
const GPT = [512, 'EFI PART'] as const

describe('the content of a disk', () => {
  it.each([
    ['ISO 9660', headWith(ISO)],
    ['ISO 9660 and UDF', headWith(ISO, UDF)],
    ['UDF', headWith([16 * SECTOR + 1, 'BEA01'])],
    ['ISO 9660', headWith(ISO, GPT, [510, '\u0055\u00aa'])],
    ['GPT partitions', headWith(GPT, [510, '\u0055\u00aa'])],
    ['MBR partitions', headWith([510, '\u0055\u00aa'])],
    ['Apple partition map', headWith([512, 'PM\0\0'])],
    ['APFS', headWith([32, 'NXSB'])],
    ['HFS+', headWith([1024, 'H+\0\u0004'])],
    ['exFAT', headWith([3, 'EXFAT   '], [510, '\u0055\u00aa'])],
    ['FAT', headWith([0, '\u00eb'], [82, 'FAT32'], [510, '\u0055\u00aa'])],
  ])('is %s', (content, head) => {
    expect(diskContent(head)).toBe(content)
    expect(isDiscContent(diskContent(head))).toBe(/ISO|UDF/.test(content))
  })

  it('is unknown where there are only zeros, text in the wrong place, or too few bytes', () => {
    for (const head of [headWith(), headWith([16 * SECTOR, 'CD001']), Buffer.alloc(0), Buffer.alloc(512)])
      expect(diskContent(head)).toBeNull()
  })
})
