import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createContainer, dropCachedPages, openContainer } from '../../../../src/engine/native/containers'
import { makeRunFolder, removeRunFolder } from '../../../../src/engine/native/timing'

const NAME = 'stowage-measure-held'
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-held-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a run’s folder that is held', () => {
  it('is in use until it is removed, and is removed with the containers in it', async () => {
    const held = makeRunFolder(folder, NAME)
    expect(held.path).toBe(join(folder, NAME))
    await createContainer(`${held.path}/one.sparsebundle`, { kind: 'UDSB', bytes: 2 ** 20 })
    await createContainer(`${held.path}/one.timed`, { kind: 'UDSP', bytes: 2 ** 20 })
    expect(removeRunFolder(folder, NAME)).toBe('in-use')
    expect(existsSync(`${held.path}/one.timed`)).toBe(true)
    expect(held.remove()).toBeNull()
    expect(existsSync(held.path)).toBe(false)
    expect(held.remove()).toBeNull()
  })

  it('keeps foreign files, and reports them', () => {
    const held = makeRunFolder(folder, NAME)
    writeFileSync(`${held.path}/notes.txt`, 'mine')
    expect(held.remove()).toMatch(/^cannot remove .*stowage-measure-held: /)
    expect(existsSync(`${held.path}/notes.txt`)).toBe(true)
    rmSync(`${held.path}/notes.txt`)
    expect(removeRunFolder(folder, NAME)).toBe('removed')
  })

  it('is made fresh or not at all', () => {
    const held = makeRunFolder(folder, NAME)
    expect(() => makeRunFolder(folder, NAME)).toThrow(expect.objectContaining({ code: 'exists' }))
    expect(existsSync(held.path)).toBe(true)
    expect(() => makeRunFolder(`${folder}/nowhere`, NAME)).toThrow(
      expect.objectContaining({ code: 'not-found' }),
    )
    expect(() => makeRunFolder(folder, '../x')).toThrow(TypeError)
    held.remove()
  })
})

describe('the pages of a container', () => {
  it.each([
    ['UDSB', 'a.sparsebundle'],
    ['UDRW', 'a.img'],
  ] as const)('are forgotten once they are on the medium: %s', async (kind, name) => {
    const path = join(folder, name)
    const bytes = 4 * 2 ** 20
    const pass = async (writes: boolean): Promise<void> => {
      const disk = await openContainer(path, { writable: writes })
      await disk.timePass({ writes, requestBytes: 2 ** 20 })
      await disk.close()
    }
    await createContainer(path, { kind, bytes, ...(kind === 'UDSB' ? { bandBytes: 2 ** 20 } : {}) })
    await pass(true)
    const first = await dropCachedPages(path)
    expect(first.checkedBytes).toBe(bytes)
    await pass(false)
    const second = await dropCachedPages(path)
    for (const { residentBytes } of [first, second]) expect(residentBytes).toBeLessThan(0.01 * bytes)
    await expect(dropCachedPages(`${path}-not`)).rejects.toMatchObject({ code: 'not-found' })
  })
})
