import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openContainer } from '../../../src/engine/native/containers'
import { seededRandom } from '../../../src/primitives/seededRandom'
import {
  bundlePlist,
  handEncryption,
  noiseOf,
  sparseImage,
  udifImage,
} from '../../support/containers/referenceWriter'
import { PASSWORD } from '../../support/containers/varieties'
import { temporaryFolder } from '../../support/temporaryFolder'

const raw = noiseOf('raw', 4096)
const goodImage = (): Buffer => sparseImage(65_536, 4 * 65_536, [[2, noiseOf('band', 65_536)]])
const goodDmg = (): Buffer => udifImage([{ type: 1, sectors: 8, stored: raw }])
const encryption = handEncryption({ password: PASSWORD.toString(), keyBits: 256, isOld: false, rounds: 1000 })
const goodEncrypted = (): Buffer => Buffer.concat([encryption.header(4096), encryption.encrypt(raw)])

/** A good image with a number written over. */
const with32 = (image: Buffer, at: number, value: number): Buffer => {
  image.writeUInt32BE(value, at)
  return image
}
const with64 = (image: Buffer, at: number, value: bigint): Buffer => {
  image.writeBigUInt64BE(value, at)
  return image
}

async function failureOf(path: string): Promise<string> {
  try {
    const disk = await openContainer(path, { password: PASSWORD })
    await disk.verify()
    await disk.close()
    return ''
  } catch (error) {
    return `${(error as { code?: string }).code}: ${(error as Error).message}`
  }
}

describe('a hostile image', () => {
  it.each<[what: string, image: () => Buffer, failure: string]>([
    [
      'sparse image of 2^63 bytes',
      () => with64(goodImage(), 28, 2n ** 63n),
      "bad-input: the sparse image's disk size is invalid",
    ],
    [
      'band outside of the image',
      () => with32(goodImage(), 68, 1),
      'bad-input: the band table points outside of the image, or it is cut off',
    ],
    [
      'next table outside',
      () => with64(goodImage(), 20, 2n ** 62n),
      'bad-input: the band table points outside of the image',
    ],
    [
      'table that follows itself',
      () => with64(goodImage(), 20, 0x1n),
      'bad-input: the band table points outside of the image',
    ],
    [
      'band of no bytes',
      () => with32(goodImage(), 8, 0),
      "bad-input: the sparse image's band size is invalid",
    ],
    [
      'newer version',
      () => with32(goodImage(), 4, 4),
      'refused: sparse images of version 4 are not supported',
    ],
    [
      'cut sparse image',
      () => goodImage().subarray(0, 50_000),
      'bad-input: the band table points outside of the image, or it is cut off',
    ],
    [
      'key item outside',
      () => with64(goodEncrypted(), 0x50, 2n ** 63n),
      'bad-input: the encryption header points outside of the image',
    ],
    [
      'a million keys',
      () => with32(goodEncrypted(), 0x48, 1_000_000),
      "bad-input: the encryption header's number of keys is invalid",
    ],
    [
      'years of rounds',
      () => with32(goodEncrypted(), 0x68, 0xffffffff),
      "bad-input: the encryption header's key item is invalid",
    ],
    [
      'encrypted 2^62 bytes',
      () => with64(goodEncrypted(), 0x38, 2n ** 62n),
      'bad-input: the encrypted image is cut off',
    ],
    [
      'cut encrypted image',
      () => goodEncrypted().subarray(0, -512),
      'bad-input: the encrypted image is cut off',
    ],
    [
      'trailer of 2^63 sectors',
      () => with64(goodDmg(), goodDmg().length - 20, 2n ** 63n),
      "bad-input: the trailer's disk size is invalid",
    ],
    [
      'plist outside',
      () => with64(goodDmg(), goodDmg().length - 296, 2n ** 63n),
      'bad-input: the trailer points outside of the image',
    ],
    [
      'chunks that leave a gap',
      () => with64(goodDmg(), goodDmg().length - 20, 9n),
      'bad-input: the block tables leave a gap or overlap',
    ],
    [
      'chunk behind the disk',
      () => with64(goodDmg(), goodDmg().length - 20, 7n),
      "bad-input: a block table reaches beyond the disk's end",
    ],
  ])('is refused: %s', async (_, image, failure) => {
    const path = join(await temporaryFolder(), 'image')
    writeFileSync(path, image())
    const [code, cause] = failure.split(/: (.*)/)
    expect(await failureOf(path)).toBe(`${code}: cannot open ${path}: ${cause}`)
  })

  it.each<[what: string, plist: string, cause: string]>([
    [
      'size of 2^63',
      bundlePlist(8388608, '9223372036854775808'),
      'the property list has a number that is none',
    ],
    ['size below zero', bundlePlist(8388608, -512), "Info.plist's size is not a positive multiple of 512"],
    ['band of 2^62', bundlePlist(String(2n ** 62n), 512), "Info.plist's band-size is above 8 GiB"],
    ['odd band', bundlePlist(1000, 512), "Info.plist's band-size is not a positive multiple of 512"],
    ['nesting', `<plist>${'<array>'.repeat(100_000)}`, 'the property list is nested too deeply'],
    [
      'entity bomb',
      '<!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><plist><string>&b;</string></plist>',
      'the property list brings a DTD of its own',
    ],
    [
      'unknown entity',
      '<plist><string>&bomb;</string></plist>',
      'the property list uses an entity that XML does not have by itself',
    ],
    ['a mebibyte too much', `<plist>${' '.repeat(1 << 20)}`, 'Info.plist is too long'],
    ['cut', bundlePlist(8388608, 512).slice(0, 300), 'the property list is cut off'],
  ])('is refused: plist with %s', async (_, plist, cause) => {
    const path = join(await temporaryFolder(), 'image')
    mkdirSync(join(path, 'bands'), { recursive: true })
    writeFileSync(join(path, 'Info.plist'), plist)
    expect(await failureOf(path)).toBe(`bad-input: cannot open ${path}: ${cause}`)
  })

  it('does not lead out of its folder', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'image')
    mkdirSync(join(path, 'bands'), { recursive: true })
    writeFileSync(join(folder, 'outside'), noiseOf('outside', 512))
    writeFileSync(join(path, 'Info.plist'), bundlePlist(1 << 20, 1 << 20))
    symlinkSync('../../outside', join(path, 'bands', '0'))
    expect(await failureOf(path)).toBe(
      `bad-input: cannot verify ${path}: band 0: it is a symbolic link or not a folder`,
    )
    symlinkSync('../outside', join(path, 'token'))
    expect(await failureOf(path)).toBe(
      `bad-input: cannot open ${path}: the token: it is a symbolic link or not a folder`,
    )
  })

  it('ends in a clear error or opens, whatever bit is flipped and wherever it is cut', async () => {
    const path = join(await temporaryFolder(), 'image')
    const random = seededRandom(5)
    for (const [image, headBytes] of [
      [goodImage(), 120],
      [goodDmg(), 1500],
      [goodEncrypted(), 0x120],
    ] as const) {
      for (let round = 0; round < 60; round++) {
        const changed = Buffer.from(image)
        const fromEnd = image.length === goodDmg().length
        const place = Math.floor(random.unit() * headBytes)
        const at = fromEnd ? changed.length - 1 - place : place
        changed[at] = (changed[at] as number) ^ (1 << Math.floor(random.unit() * 8))
        const cut = random.unit() < 0.2 ? Math.floor(random.unit() * changed.length) : changed.length
        writeFileSync(path, changed.subarray(0, cut))
        const failure = await failureOf(path)
        if (failure !== '')
          expect(failure).toMatch(/^(bad-input|refused|wrong-password): cannot (open|verify|read) .+: .+/)
      }
    }
  })
})
