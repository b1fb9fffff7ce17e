import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporaryFolder'
import { stowageUnderWine, winePath } from '../support/wine'

describe('measurements on Windows', () => {
  it('write and read without buffering, and leave nothing behind', async () => {
    const folder = await temporaryFolder()
    const target = join(folder, 'target')
    mkdirSync(target)
    const { code, stdout, stderr } = await stowageUnderWine(
      ['measure', winePath(target), '--preset', 'small', '--budget', '40MB', '--json'],
      { home: join(folder, 'home') },
    )
    expect(code, stderr).toBe(0)
    const { cache, writtenBytes, error } = JSON.parse(stdout)
    expect(error).toBeNull()
    expect(writtenBytes).toBeGreaterThan(30e6)
    // Wine hands the requests to the page cache of this system: the rates show that, but on a busy machine not always.
    expect(cache).toMatchObject({ obtained: 'uncached', plausible: expect.any(Boolean) })
    expect(readdirSync(target)).toEqual([])
  })
})
