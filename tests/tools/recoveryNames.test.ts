import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ContentPlace } from '../../src/engine/files/read'
import { recoveredContents } from '../../src/engine/sets/recovery/recoveredContents'
import { openFolder } from '../../src/engine/sets/volume/lists/volume'
import { seededRandom } from '../../src/primitives/seededRandom'
import { makePar2Set } from '../support/makePar2Set'
import { temporaryFolder } from '../support/temporaryFolder'

const SECTOR = 2048
const BYTES = 10_000
const { signal } = new AbortController()

/** A volume with a damaged file `a`, and a set of it and a second file, whose packets are right. */
async function volumeWith(name: string): Promise<{ folder: string; own: string; content: Buffer }> {
  const folder = join(await temporaryFolder(), 'volume')
  const own = join(folder, 'STOWAGE')
  mkdirSync(own, { recursive: true })
  mkdirSync(join(folder, 'x'))
  const content = Buffer.alloc(BYTES)
  seededRandom(3).fillBytes(content)
  writeFileSync(join(folder, 'a'), content)
  const second = join(folder, name.startsWith('/') ? `..${name}` : name)
  writeFileSync(second, 'not of the volume')
  await makePar2Set({
    files: [
      { name: 'a', path: join(folder, 'a'), offset: 0, bytes: BYTES },
      { name, path: second, offset: 0, bytes: 17 },
    ],
    blockBytes: 4096,
    recoveryBlocks: 4,
    threads: 1,
    index: join(own, 'recovery-1.par2'),
    recovery: join(own, 'recovery-1.vol0+4.par2'),
  })
  writeFileSync(join(folder, 'a'), Buffer.concat([Buffer.alloc(100, 1), content.subarray(100)]))
  return { folder, own, content }
}

/** The files of a mounted disc that come back. */
async function fromFolder({ folder }: { folder: string }, scratch: string) {
  const { placeOf } = await openFolder(folder)
  return recoveredContents({ path: folder, folder, own: 'STOWAGE', placeOf }, (all) => all, scratch, {
    signal,
  })
}

/** The files that come back from an image on which nothing leads to them but the packets. */
async function fromImage({ folder, own }: { folder: string; own: string }, scratch: string) {
  const path = join(folder, '../disc.iso')
  const pieces: Buffer[] = [Buffer.alloc(32 * SECTOR)]
  let offset = 32 * SECTOR
  const add = (content: Buffer): number => {
    const padded = Buffer.alloc(Math.ceil(content.length / SECTOR) * SECTOR)
    content.copy(padded)
    pieces.push(padded)
    offset += padded.length
    return offset - padded.length
  }
  const a: ContentPlace = { file: path, offset: add(readFileSync(join(folder, 'a'))), bytes: BYTES }
  const second: ContentPlace = { file: path, offset: add(Buffer.from('not of the volume')), bytes: 17 }
  for (const name of ['recovery-1.par2', 'recovery-1.vol0+4.par2']) add(readFileSync(join(own, name)))
  writeFileSync(path, Buffer.concat(pieces))
  const placeOf = (name: string) => Promise.resolve(name === 'a' ? a : second)
  return recoveredContents({ path, folder: null, own: null, placeOf }, (all) => all, scratch, { signal })
}

describe.each([
  ['a folder', fromFolder],
  ['an image', fromImage],
])('recovery data on %s', (_, recovered) => {
  test('gives files back whose names are within the volume', async () => {
    const volume = await volumeWith('x/b')
    const found = await recovered(volume, join(volume.folder, '../scratch'))
    expect([...found.keys()]).toEqual(['a'])
    expect(readFileSync(found.get('a')?.file ?? '').equals(volume.content)).toBe(true)
  })

  test.each(['../b', 'x/../../b', '/b', './b', 'x//b'])('is refused with a file named %s', async (name) => {
    const volume = await volumeWith(name)
    const scratch = join(volume.folder, '../scratch')
    expect((await recovered(volume, scratch)).size).toBe(0)
    expect(existsSync(scratch)).toBe(false)
  })
})
