import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { imageVerifySchema } from '../../src/contract/dto/image'
import { readBy7Zip, readByDmg2img, readByQemu } from '../support/containers/foreignReaders'
import { noiseOf } from '../support/containers/referenceWriter'
import { DISK_BYTES, imagePlace, MEBI, sha256 } from '../support/imagePlace'
import { memoryDisk } from '../support/memoryDisk'

const place = imagePlace()

describe('stowage image', () => {
  it('carries a real file system through every kind and out to the readers of others', async () => {
    const start = place.diskFile()
    const sparse = await place.done('convert', start, place.inFolder('b.sparseimage'))
    expect([sparse.kind, sparse.bandBytes, sparse.bandVerdict]).toEqual(['UDSP', MEBI, null])
    const bundle = await place.done(
      'convert',
      sparse.path,
      place.inFolder('a.sparsebundle'),
      '--band',
      'fitted',
    )
    expect(bundle).toMatchObject({ kind: 'UDSB', bandBytes: MEBI, bandsAtFullSize: 6, bandVerdict: 'few' })
    const zip = await place.done(
      'convert',
      bundle.path,
      place.inFolder('c.dmg'),
      '--to',
      'udzo',
      '--level',
      '9',
    )
    expect(zip).toMatchObject({
      kind: 'UDZO',
      writable: false,
      bytes: DISK_BYTES,
      methods: expect.arrayContaining(['zlib']),
    })
    expect(readBy7Zip(zip.path, place.folder).equals(place.ext4)).toBe(true)
    expect(readByDmg2img(zip.path, place.folder).equals(place.ext4)).toBe(true)
    expect(readByQemu(zip.path, 'dmg', place.folder).equals(place.ext4)).toBe(true)
    const { path } = await place.done('convert', zip.path, place.inFolder('d.img'))
    expect(readFileSync(path).equals(place.ext4)).toBe(true)
  })

  it('verifies with a digest of the disk, and finds a changed byte', async () => {
    place.diskFile()
    await place.done('convert', place.inFolder('disk.img'), place.inFolder('c.dmg'), '--to', 'UDZO')
    const well = await place.image(['verify', place.inFolder('c.dmg'), '--sha256', '--json'])
    expect(well.code, well.stderr).toBe(0)
    expect(imageVerifySchema.parse(JSON.parse(well.stdout))).toMatchObject({
      problems: [],
      sha256: sha256(place.ext4),
    })
    const content = readFileSync(place.inFolder('c.dmg'))
    content[5000] = (content[5000] as number) ^ 1
    writeFileSync(place.inFolder('c.dmg'), content)
    const damaged = await place.image(['verify', place.inFolder('c.dmg')])
    expect([damaged.code, damaged.stderr]).toEqual([6, expect.stringMatching(/is damaged: /)])
    expect(damaged.stdout).toMatch(/, (1 problem|\d problems)$/m)
  })

  it('resizes, refuses to cut off content, compacts and changes bands', async () => {
    place.diskFile()
    await place.done(
      'convert',
      place.inFolder('disk.img'),
      place.inFolder('a.sparsebundle'),
      '--band',
      '2MiB',
    )
    expect((await place.done('resize', place.inFolder('a.sparsebundle'), '1GB')).bytes).toBe(1_000_000_000)
    await place.refused(4, /it holds data up to byte/, 'resize', place.inFolder('a.sparsebundle'), '1MiB')
    expect((await place.done('resize', place.inFolder('a.sparsebundle'), `${DISK_BYTES}`)).bytes).toBe(
      DISK_BYTES,
    )
    writeFileSync(place.inFolder('a.sparsebundle/bands/2'), Buffer.alloc(2 * MEBI))
    expect((await place.done('compact', place.inFolder('a.sparsebundle'))).bandsStored).toBe(2)
    expect(await place.done('rebands', place.inFolder('a.sparsebundle'), '1MiB')).toMatchObject({
      bandBytes: MEBI,
      bandsStored: 4,
    })
    await place.refused(
      2,
      /a sparse bundle's band is a multiple of 512 bytes from 1 MiB to 8 GiB/,
      'rebands',
      place.inFolder('a.sparsebundle'),
      '5000',
    )
    await place.refused(2, /it is not a sparse bundle/, 'rebands', place.inFolder('disk.img'), '1MiB')
  })

  it('names a disc image, leaves it as long as it is, and converts it', async () => {
    const source = place.inFolder('files')
    mkdirSync(source)
    writeFileSync(join(source, 'a.txt'), 'a file')
    const iso = place.inFolder('x.iso')
    execFileSync('xorriso', ['-as', 'mkisofs', '-quiet', '-R', '-o', iso, source], { stdio: 'pipe' })
    const before = readFileSync(iso)
    expect(await place.done('info', iso)).toMatchObject({
      kind: 'UDRW',
      content: 'ISO 9660',
      isDisc: true,
      writable: false,
    })
    await place.refused(
      7,
      /it is a disc image \(ISO 9660\), whose file system cannot grow/,
      'resize',
      iso,
      '1GB',
    )
    expect(readFileSync(iso).equals(before)).toBe(true)
    const { stdout } = await place.image(['info', iso])
    expect(stdout).toContain('disc image (ISO 9660)')
    expect(stdout).not.toMatch(/UDRW|read-write/)
    await place.done('convert', iso, place.inFolder('x.dmg'), '--to', 'udzo')
    expect(readBy7Zip(place.inFolder('x.dmg'), place.folder).equals(before)).toBe(true)
  })

  it('creates the image of a preset and prints its hints', async () => {
    const end = await place.image([
      'create',
      place.inFolder('a.sparsebundle'),
      '--size',
      '1001B',
      '--preset',
      'growing',
    ])
    expect(end.code, end.stderr).toBe(0)
    expect(end.stderr).toMatch(/the disk size is rounded to 1,024 bytes: whole sectors of 512 bytes/)
    expect(end.stdout).toMatch(/^Created .*a\.sparsebundle$/m)
    expect(end.stdout).toMatch(/Opens in Mac OS X 10\.5 and later\. \[hdiutil\(1\)/)
    expect(
      await place.done('create', place.inFolder('b.sparsebundle'), '--size', '100GB', '--preset', 'growing'),
    ).toMatchObject({
      bandBytes: 16 * MEBI,
      bandsAtFullSize: 5961,
      bandVerdict: 'good',
    })
    const many = await place.image([
      'create',
      place.inFolder('c.sparsebundle'),
      '--size',
      '2TB',
      '--band',
      '8MiB',
    ])
    expect([many.code, many.stderr]).toEqual([
      0,
      expect.stringMatching(/238,419 bands at full size: sparse bundles with more than 100,000 bands/),
    ])
    expect(statSync(place.inFolder('c.sparsebundle/token')).size).toBe(0)
  })

  it('replaces only with --force, a bundle too, and never a folder that is none', async () => {
    place.diskFile()
    writeFileSync(place.inFolder('old.dmg'), 'something else')
    const over = ['convert', place.inFolder('disk.img'), place.inFolder('old.dmg'), '--to', 'UDZO']
    await place.refused(2, /it already exists \(--force replaces it\)/, ...over)
    expect(readFileSync(place.inFolder('old.dmg'), 'utf8')).toBe('something else')
    await place.done(...over, '--force')
    expect(readBy7Zip(place.inFolder('old.dmg'), place.folder).equals(place.ext4)).toBe(true)
    await place.done('create', place.inFolder('a.sparsebundle'), '--size', '1GB')
    expect(
      (await place.done('create', place.inFolder('a.sparsebundle'), '--size', '2GB', '--force')).bytes,
    ).toBe(2e9)
    symlinkSync('disk.img', place.inFolder('link'))
    await place.refused(
      2,
      /neither a file nor a folder/,
      'create',
      place.inFolder('link'),
      '--kind',
      'UDRW',
      '--size',
      '1GB',
      '--force',
    )
    rmSync(place.inFolder('link'))
    mkdirSync(place.inFolder('photos'))
    writeFileSync(place.inFolder('photos/one'), 'kept')
    await place.refused(
      2,
      /it is a folder, not a sparse bundle/,
      'create',
      place.inFolder('photos'),
      '--kind',
      'UDSB',
      '--size',
      '1GB',
      '--force',
    )
    await place.refused(
      2,
      /to itself: name another file/,
      'convert',
      place.inFolder('disk.img'),
      place.inFolder('disk.img'),
      '--to',
      'UDRW',
      '--force',
    )
    expect(readdirSync(place.folder).toSorted()).toEqual([
      '7zip.out',
      'a.sparsebundle',
      'disk.img',
      'old.dmg',
      'photos',
    ])
    expect(readFileSync(place.inFolder('photos/one'), 'utf8')).toBe('kept')
  })

  it.each([['info'], ['verify'], ['compact'], ['convert', 'out.dmg']])(
    '%s refuses an image in the first form of encryption of Apple, and a file that is no image',
    async (verb, ...more) => {
      writeFileSync(place.inFolder('old.dmg'), Buffer.concat([noiseOf('old', MEBI), Buffer.from('cdsaencr')]))
      writeFileSync(place.inFolder('notes'), 'words '.repeat(2000))
      const rest = more.map((name) => place.inFolder(name))
      const old = await place.image([verb, place.inFolder('old.dmg'), ...rest])
      expect([old.code, old.stderr]).toEqual([7, expect.stringMatching(/first format \(version 1\)/)])
      const notes = await place.image([verb, place.inFolder('notes'), ...rest])
      expect([notes.code, notes.stderr]).toEqual([2, expect.stringMatching(/not a supported disk image/)])
      expect(readdirSync(place.folder).toSorted()).toEqual(['notes', 'old.dmg'])
    },
  )

  it('leaves everything as it was when it is cancelled', async () => {
    const noise = noiseOf('a long one', 4 * MEBI)
    writeFileSync(place.inFolder('disk.img'), Buffer.concat(Array.from({ length: 32 }, () => noise)))
    writeFileSync(place.inFolder('old.dmg'), 'something else')
    const args = [
      'convert',
      place.inFolder('disk.img'),
      place.inFolder('old.dmg'),
      '--to',
      'UDZO',
      '--level',
      '9',
      '--force',
    ]
    const watcher = watch(place.folder)
    const end = await place.image(args, {
      onStart: (kill) => void watcher.once('change', () => kill('SIGINT')),
    })
    watcher.close()
    expect([end.code, end.stderr]).toEqual([130, expect.stringMatching(/cancelled/)])
    expect(readFileSync(place.inFolder('old.dmg'), 'utf8')).toBe('something else')
    expect(readdirSync(place.folder).toSorted()).toEqual(['disk.img', 'old.dmg'])
  })

  it('says that the disk is full, and leaves nothing there', async (context) => {
    const small = memoryDisk(place.inFolder('small'), 1 << 20)
    if (typeof small === 'string') return context.skip(small)
    try {
      place.diskFile()
      for (const name of ['a.sparsebundle', 'a.sparseimage', 'a.img'])
        await place.refused(
          4,
          /no space left on the device/,
          'convert',
          place.inFolder('disk.img'),
          join(small.path, name),
        )
      expect(readdirSync(small.path)).toEqual([])
    } finally {
      small.unmount()
    }
  })
})
