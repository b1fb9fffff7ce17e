import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ContainerKind, createContainer, openContainer } from '../../../../src/engine/native/containers'

const MIB = 2 ** 20
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-ranges-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ENCRYPTION = { keyBits: 256, password: Buffer.from('only here'), rounds: 1000 } as const

describe('timing ranges of a container', () => {
  it.each<[ContainerKind, boolean]>([
    ['UDSB', false],
    ['UDSB', true],
    ['UDSP', false],
    ['UDRW', true],
  ])('writes what lies in them and nothing else: %s, encrypted: %s', async (kind, isEncrypted) => {
    const path = join(folder, 'a.sparsebundle')
    const wish = { kind, bytes: 4 * MIB, ...(isEncrypted ? { encryption: ENCRYPTION } : {}) }
    await createContainer(path, kind === 'UDRW' ? wish : { ...wish, bandBytes: MIB })
    const disk = await openContainer(path, { writable: true, ...(isEncrypted ? ENCRYPTION : {}) })
    const ranges = [
      { offset: 3 * MIB, bytes: 12_288 },
      { offset: MIB - 4096, bytes: 8192 },
    ]
    const times = await disk.timeRanges({ writes: true, requestBytes: 4096, seed: 5 }, ranges)
    expect(times).toHaveLength(2)
    for (const ns of times) expect(ns).toBeGreaterThan(0)
    const whole = await disk.read(0, 4 * MIB)
    let zeros = 0
    for (const { offset, bytes } of ranges) {
      const written = whole.subarray(offset, offset + bytes)
      // Random content: every request of it differs, and no byte in 4096 is likely to be all there is.
      expect(new Set(written).size).toBeGreaterThan(200)
      expect(written.subarray(0, 4096).equals(written.subarray(4096, 8192))).toBe(false)
      zeros -= bytes
      written.fill(0)
    }
    zeros += whole.length
    expect(whole.equals(Buffer.alloc(zeros + 20_480))).toBe(true)
    expect(await disk.timeRanges({ writes: false, requestBytes: MIB }, ranges)).toHaveLength(2)
    await disk.close()
  })

  it('refuses what is not within the disk', async () => {
    const path = join(folder, 'a.img')
    await createContainer(path, { kind: 'UDRW', bytes: MIB })
    const disk = await openContainer(path, { writable: true })
    for (const range of [
      { offset: MIB, bytes: 512 },
      { offset: 0, bytes: MIB + 1 },
    ])
      await expect(disk.timeRanges({ writes: true, requestBytes: 512 }, [range])).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('not within the disk'),
      })
    await expect(
      disk.timeRanges({ writes: false, requestBytes: 512 }, [{ offset: -1, bytes: 512 }]),
    ).rejects.toMatchObject({ code: 'usage' })
    await disk.close()
  })
})
