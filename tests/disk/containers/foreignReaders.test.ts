import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { convertContainer, openContainer, rebandBundle } from '../../../src/engine/native/containers'
import {
  bundleForLibmodi,
  libmodiMissing,
  readBy7Zip,
  readByDmg2img,
  readByLibmodi,
  readByQemu,
  test7Zip,
} from '../../support/containers/foreignReaders'
import { readReference } from '../../support/containers/referenceReader'
import { noiseOf } from '../../support/containers/referenceWriter'
import { MEBI } from '../../support/containers/varieties'
import { mostlyLong } from '../../support/mostlyLong'
import { temporaryFolder } from '../../support/temporaryFolder'

const FILE_SYSTEMS = ['exfat', 'ext4', 'iso'] as const
let folder = ''

/** Images of file systems as the real programs make them, with some content. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-images-'))
  const tree = join(folder, 'tree')
  mkdirSync(tree)
  for (let count = 0; count < 5; count++)
    writeFileSync(join(tree, `noise${count}`), noiseOf(`file ${count}`, 50_000 * count))
  for (const name of ['exfat', 'ext4']) {
    writeFileSync(image(name), '')
    truncateSync(image(name), 6 * MEBI)
  }
  execFileSync('mkfs.exfat', [image('exfat')], { stdio: 'ignore' })
  execFileSync('mkfs.ext4', ['-q', '-d', tree, image('ext4')])
  execFileSync('xorriso', ['-as', 'mkisofs', '-quiet', '-r', '-J', '-o', image('iso'), tree], {
    stdio: 'ignore',
  })
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const image = (name: string): string => join(folder, `disk.${name}`)
const same = (found: Buffer, name: string): void => {
  expect(found.length).toBe(readFileSync(image(name)).length)
  expect(found.equals(readFileSync(image(name)))).toBe(true)
}

mostlyLong(
  describe,
  FILE_SYSTEMS,
  (name) => name === 'iso',
)('a file system of %s', (name) => {
  it('comes out of a compressed read-only image through 7-Zip, dmg2img, qemu-img and libmodi', async (context) => {
    const own = await temporaryFolder()
    const path = join(own, 'disk.dmg')
    await convertContainer(image(name), path, { kind: 'UDIF' }, { level: 9 })
    same(readBy7Zip(path, own), name)
    expect(test7Zip(path)).toContain('Everything is Ok')
    expect(test7Zip(path)).not.toMatch(/warning|error/i)
    same(readByDmg2img(path, own), name)
    same(readByQemu(path, 'dmg', own), name)
    same(readReference(path, 'image'), name)
    const missing = libmodiMissing()
    if (missing) context.skip(missing)
    same(readByLibmodi(path, own), name)
  })

  it('comes out of a sparse image through libmodi', async (context) => {
    const own = await temporaryFolder()
    const path = join(own, 'disk.sparseimage')
    await convertContainer(image(name), path, { kind: 'UDSP', bandBytes: MEBI })
    same(readReference(path, 'image'), name)
    const missing = libmodiMissing()
    if (missing) context.skip(missing)
    same(readByLibmodi(path, own), name)
  })

  it('comes out of a sparse bundle through libmodi, also with its bands changed', async (context) => {
    const own = await temporaryFolder()
    const path = join(own, 'disk.sparsebundle')
    await convertContainer(image(name), path, { kind: 'UDSB' })
    await rebandBundle(path, `${path}.beside`, MEBI)
    same(readReference(path, 'UDSB'), name)
    const missing = libmodiMissing()
    if (missing) context.skip(missing)
    same(readByLibmodi(bundleForLibmodi(path, own), own), name)
  })

  it('comes out of a read-write image through qemu-img', async () => {
    const own = await temporaryFolder()
    const path = join(own, 'disk.img')
    await convertContainer(image(name), path, { kind: 'UDRW' })
    same(readByQemu(path, 'raw', own), name)
  })

  it('goes from one container to the next and back to where it was', async () => {
    const own = await temporaryFolder()
    const password = Buffer.from('one after another')
    const encryption = { keyBits: 256, password, rounds: 1000 } as const
    await convertContainer(image(name), join(own, '1'), { kind: 'UDIF', encryption })
    await convertContainer(
      join(own, '1'),
      join(own, '2'),
      { kind: 'UDSB', encryption },
      { sourcePassword: password },
    )
    await convertContainer(join(own, '2'), join(own, '3'), { kind: 'UDSP' }, { sourcePassword: password })
    await convertContainer(join(own, '3'), join(own, '4'), { kind: 'UDRW' })
    same(readFileSync(join(own, '4')), name)
  })
})

it('of 7-Zip and of us both see a changed byte in a read-only image', async () => {
  const own = await temporaryFolder()
  const path = join(own, 'disk.dmg')
  await convertContainer(image('iso'), path, { kind: 'UDIF' })
  const content = readFileSync(path)
  content[5000] = (content[5000] as number) ^ 1
  writeFileSync(path, content)
  expect(() => test7Zip(path)).toThrow()
  const disk = await openContainer(path)
  expect((await disk.verify()).problems.length).toBeGreaterThan(0)
  await disk.close()
})
