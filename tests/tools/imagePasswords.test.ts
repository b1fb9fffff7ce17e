import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commandOnTerminal } from '../support/commandOnTerminal'
import { readBy7Zip } from '../support/containers/foreignReaders'
import { DISK_BYTES, imagePlace, MEBI, sha256 } from '../support/imagePlace'

const place = imagePlace()

describe('the password of an image', () => {
  it('is kept through a conversion, and left out only on demand', { tags: 'long' }, async () => {
    const password = place.passwordFile('pass phrase, with “quotes”')
    const locked = await place.done(
      'convert',
      place.diskFile(),
      place.inFolder('a.sparsebundle'),
      '--band',
      '1MiB',
      '--encrypt',
      '256',
      '--password-file',
      password,
    )
    expect(locked.encryption).toMatchObject({ keyBits: 256, current: false, rounds: 600_000 })
    const same = await place.done(
      'convert',
      locked.path,
      place.inFolder('b.sparseimage'),
      '--password-file',
      password,
    )
    expect([same.kind, same.encryption?.keyBits]).toEqual(['UDSP', 256])
    const zip = await place.done(
      'convert',
      same.path,
      place.inFolder('c.dmg'),
      '--to',
      'UDZO',
      '--decrypt',
      '--password-file',
      password,
    )
    expect([zip.kind, zip.encryption]).toEqual(['UDZO', null])
    expect(readBy7Zip(zip.path, place.folder).equals(place.ext4)).toBe(true)
  })

  it('changes the password and nothing else, by two lines of stdin', { tags: 'long' }, async () => {
    place.diskFile()
    const old = place.passwordFile('old one')
    await place.done(
      'convert',
      place.inFolder('disk.img'),
      place.inFolder('a.sparsebundle'),
      '--encrypt',
      'AES-128',
      '--password-file',
      old,
    )
    const bands = () =>
      readdirSync(place.inFolder('a.sparsebundle/bands')).map((name) =>
        sha256(readFileSync(place.inFolder(`a.sparsebundle/bands/${name}`))),
      )
    const before = bands()
    const wrong = await place.image(['passwd', place.inFolder('a.sparsebundle'), '--password-stdin'], {
      stdin: 'not this\nnew one\n',
    })
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/the password is wrong/)])
    const right = await place.image(['passwd', place.inFolder('a.sparsebundle'), '--password-stdin'], {
      stdin: 'old one\r\nnew one\0',
    })
    expect(right.code, right.stderr).toBe(0)
    await place.refused(2, /password/, 'verify', place.inFolder('a.sparsebundle'), '--password-file', old)
    const fresh = place.passwordFile('new one', 'new')
    expect((await place.done('info', place.inFolder('a.sparsebundle'), '--password-file', fresh)).bytes).toBe(
      DISK_BYTES,
    )
    expect(bands()).toEqual(before)
    await place.refused(
      2,
      /a password is needed and there is no terminal/,
      'passwd',
      place.inFolder('a.sparsebundle'),
      '--password-file',
      fresh,
    )
  })

  it('shows what is known of a locked image without asking for its password', { tags: 'long' }, async () => {
    await place.done(
      'create',
      place.inFolder('a.sparseimage'),
      '--size',
      '64MB',
      '--encrypt',
      '256',
      '--password-file',
      place.passwordFile('x'),
    )
    expect(await place.done('info', place.inFolder('a.sparseimage'))).toMatchObject({
      locked: true,
      kind: null,
      bytes: null,
      encryption: { keyBits: 256 },
    })
    await place.refused(
      2,
      /no terminal to ask on: give it by --password-file/,
      'compact',
      place.inFolder('a.sparseimage'),
    )
    await place.refused(
      2,
      /the password is wrong/,
      'compact',
      place.inFolder('a.sparseimage'),
      '--password-file',
      place.passwordFile('y'),
    )
  })

  it('is asked for on a terminal, a new one twice, and not shown', async () => {
    const args = ['image', 'create', place.inFolder('a.dmg'), '--size', '1MiB', '--encrypt', '256']
    const { shown } = await commandOnTerminal(args, place.home, [
      [/New password of .*a\.dmg: $/, 'hunter3\u007f2\r'],
      [/Repeat password: $/, 'hunter2\r'],
    ])
    expect(shown).toMatch(/Repeat password: /)
    expect(shown).not.toContain('hunter')
    const opened = await place.done(
      'info',
      place.inFolder('a.dmg'),
      '--password-file',
      place.passwordFile('hunter2'),
    )
    expect(opened).toMatchObject({ kind: 'UDRW', bytes: MEBI, locked: false })
  })
})
