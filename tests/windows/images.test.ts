import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'
import { stowageUnderWine, winePath } from '../support/wine'

describe('disk images on Windows', () => {
  it('hold the same disk in every kind, for Linux too', async () => {
    const folder = await temporaryFolder()
    const home = join(folder, 'home')
    const disk = Buffer.alloc(512 * 12_000)
    seededRandom(48).fillBytes(disk.subarray(1_000_000, 3_000_000))
    const raw = join(folder, 'raw.img')
    writeFileSync(raw, disk)
    const sha256 = createHash('sha256').update(disk).digest('hex')
    for (const [name, kind] of [
      ['compressed.dmg', 'UDZO'],
      ['bundle.sparsebundle', 'UDSB'],
      ['sparse.sparseimage', 'UDSP'],
    ] as const) {
      const image = join(folder, name)
      const made = await stowageUnderWine(
        ['image', 'convert', winePath(raw), winePath(image), '--to', kind],
        { home },
      )
      expect(made.code, made.stderr).toBe(0)
      const there = await stowageUnderWine(['image', 'verify', winePath(image), '--sha256'], { home })
      expect(there.stdout, there.stderr).toContain(sha256)
      const here = await stowage(['image', 'verify', image, '--sha256'], { home: join(folder, 'here') })
      expect(here.stdout, here.stderr).toContain(sha256)
    }
    const again = join(folder, 'again.img')
    const convert = ['image', 'convert', winePath(join(folder, 'compressed.dmg')), winePath(again)]
    const { code, stderr } = await stowageUnderWine([...convert, '--to', 'UDRW'], { home })
    expect(code, stderr).toBe(0)
    expect(readFileSync(again).equals(disk)).toBe(true)
  })

  it('are made empty in every kind that can be written, for Linux too', async () => {
    const folder = await temporaryFolder()
    for (const kind of ['UDRW', 'UDSP', 'UDSB']) {
      const image = join(folder, kind)
      const made = await stowageUnderWine(
        ['image', 'create', winePath(image), '--kind', kind, '--size', '12MiB'],
        { home: join(folder, 'home') },
      )
      expect(made.code, made.stderr).toBe(0)
      const here = await stowage(['image', 'verify', image, '--sha256'], { home: join(folder, 'here') })
      const zeros = createHash('sha256')
        .update(Buffer.alloc(12 << 20))
        .digest('hex')
      expect(here.stdout, here.stderr).toContain(zeros)
    }
  })

  it('are encrypted with a password, and refused without it', async () => {
    const folder = await temporaryFolder()
    const home = join(folder, 'home')
    const password = join(folder, 'password')
    writeFileSync(password, 'correct horse\n')
    const image = join(folder, 'vault.sparsebundle')
    const given = ['--password-file', winePath(password)]
    const made = await stowageUnderWine(
      ['image', 'create', winePath(image), '--size', '50MB', '--encrypt', '256', ...given],
      { home },
    )
    expect(made.code, made.stderr).toBe(0)
    const opened = await stowage(['image', 'verify', image, '--password-file', password], {
      home: join(folder, 'here'),
    })
    expect(opened.code, opened.stderr).toBe(0)
    writeFileSync(password, 'wrong\n')
    const refused = await stowageUnderWine(['image', 'verify', winePath(image), ...given], { home })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('the password is wrong')
  })
})
