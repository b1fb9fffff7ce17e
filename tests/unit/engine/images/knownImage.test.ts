import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { requireKnownImage } from '../../../../src/engine/images/knownImage'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { temporaryFolder } from '../../../support/temporaryFolder'

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})

function noise(bytes: number): Buffer {
  const content = Buffer.alloc(bytes)
  seededRandom(5).fillBytes(content)
  return content
}

/** Noise with a text at a place. */
function withText(offset: number, text: string, bytes = 128 * 1024): Buffer {
  const content = noise(bytes)
  content.write(text, offset, 'latin1')
  return content
}

function check(name: string, content: Buffer | string): Promise<void> {
  const path = join(folder, name)
  writeFileSync(path, content)
  return requireKnownImage(path)
}

const TEXT = 'root:x:0:0:root:/root:/bin/bash\n'
const TRAILER = Buffer.concat([Buffer.from('koly'), Buffer.alloc(508)])

describe('a disk image', () => {
  it.each([
    ['text', 'passwd', Buffer.from(TEXT)],
    ['text of whole sectors called as an image', 'text.img', Buffer.from(TEXT.repeat(16))],
    ['nothing', 'empty.dmg', Buffer.alloc(0)],
    ['noise', 'film.mkv', noise(4096)],
    ['noise that ends within a sector', 'disk.img', noise(4097)],
    ['a compressed image that lost its trailer', 'short.dmg', withText(0, 'x\u0001', 4096)],
    ['an archive called as an image', 'photos.iso', withText(0, 'PK\u0003\u0004', 4096)],
    ['a boot signature with nothing before it that fits', 'odd', withText(510, '\u0055\u00aa', 4096)],
  ])('is not %s', async (_what, name, content) => {
    await expect(check(name, content)).rejects.toMatchObject({
      code: 'bad-input',
      message: `cannot open ${join(folder, name)}: it is not a supported disk image`,
    })
  })

  it.each([
    ['a GPT', withText(512, 'EFI PART')],
    ['a partition map of Apple', withText(512, 'PM\0\0')],
    ['HFS+', withText(1024, 'H+\0\u0004')],
    ['APFS', withText(32, 'NXSB')],
    ['ISO 9660', withText(32_769, 'CD001')],
    ['a FAT', Buffer.concat([withText(510, '\u0055\u00aa', 4096).fill(0xeb, 0, 1)])],
    ['NTFS', withText(3, 'NTFS    ')],
    ['Btrfs', withText(65_600, '_BHRfS_M')],
    ['a UDIF trailer', Buffer.concat([noise(1000), TRAILER])],
    ['a sparse image', withText(0, 'sprs')],
    ['encryption', withText(0, 'encrcdsa')],
    ['nothing but zeros', Buffer.alloc(1 << 20)],
  ])('is known by %s, whatever its name', async (_what, content) => {
    await expect(check('anything', content)).resolves.toBeUndefined()
  })

  it('is recognized by its name when it has whole sectors of unknown content', async () => {
    await expect(check('Disk.IMG', noise(8192))).resolves.toBeUndefined()
  })

  it('in the first form of encryption of Apple is named and refused, as file and as bundle', async () => {
    const refused = { code: 'refused', message: expect.stringContaining("Apple's first format (version 1)") }
    const trailer = Buffer.concat([noise(1268), Buffer.from('cdsaencr')])
    await expect(check('old.dmg', Buffer.concat([noise(4096), trailer]))).rejects.toMatchObject(refused)
    mkdirSync(join(folder, 'old.sparsebundle'))
    writeFileSync(join(folder, 'old.sparsebundle', 'token'), trailer)
    await expect(requireKnownImage(join(folder, 'old.sparsebundle'))).rejects.toMatchObject(refused)
  })

  it('that is not there, or a whole bundle, is for the opening to judge', async () => {
    await expect(requireKnownImage(join(folder, 'gone'))).resolves.toBeUndefined()
    mkdirSync(join(folder, 'new.sparsebundle'))
    writeFileSync(join(folder, 'new.sparsebundle', 'token'), '')
    await expect(requireKnownImage(join(folder, 'new.sparsebundle'))).resolves.toBeUndefined()
  })
})
