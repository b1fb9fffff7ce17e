import { describe, expect, it } from 'vitest'
import {
  hdiutilAttach,
  hdiutilConvert,
  hdiutilCreate,
  type MacCommand,
  sizeWord,
} from '../../../../src/domain/images/macArguments'

const GIB = 2 ** 30
const words = (text: string): string[] => text.split(' ')

const bundle = {
  path: 'Vault.sparsebundle',
  type: 'SPARSEBUNDLE',
  bytes: 100 * GIB,
  fileSystem: 'APFS',
  volumeName: 'Vault',
} as const
const attached = { path: 'Out.dmg', mountPoint: '/tmp/m', readOnly: true, isEncrypted: false }

describe('the arguments for macOS', () => {
  it.each<[string, MacCommand, string[], MacCommand['password']]>([
    [
      'a bundle with bands of 16 MiB, counted in sectors',
      hdiutilCreate({ ...bundle, bandBytes: 16 * 2 ** 20 }),
      words(
        'create -size 100g -type SPARSEBUNDLE -fs APFS -volname Vault -imagekey sparse-band-size=32768 -plist Vault.sparsebundle',
      ),
      null,
    ],
    [
      'an encrypted one, its password through standard input',
      hdiutilCreate({ ...bundle, encryption: 256 }),
      words(
        'create -size 100g -type SPARSEBUNDLE -fs APFS -volname Vault -encryption AES-256 -stdinpass -plist Vault.sparsebundle',
      ),
      'stdin',
    ],
    [
      'a sparse image with another file system',
      hdiutilCreate({ ...bundle, type: 'SPARSE', fileSystem: 'HFS+J', path: 'V.sparseimage' }),
      words('create -size 100g -type SPARSE -fs HFS+J -volname Vault -plist V.sparseimage'),
      null,
    ],
    [
      'attaching',
      hdiutilAttach(attached),
      words('attach -readonly -nobrowse -noverify -plist -mountpoint /tmp/m Out.dmg'),
      null,
    ],
    [
      'attaching an encrypted one for writing',
      hdiutilAttach({ ...attached, mountPoint: null, readOnly: false, isEncrypted: true }),
      words('attach -nobrowse -noverify -plist -stdinpass Out.dmg'),
      'stdin',
    ],
    [
      'other bands',
      hdiutilConvert({ from: 'In.dmg', to: 'Out.sparsebundle', format: 'UDSB', bandBytes: 32 * 2 ** 20 }),
      words('convert In.dmg -format UDSB -tgtimagekey sparse-band-size=65536 -o Out.sparsebundle'),
      null,
    ],
    [
      'encrypting while converting',
      hdiutilConvert({ from: 'In.dmg', to: 'Out.dmg', format: 'ULFO', encryption: 128 }),
      words('convert In.dmg -format ULFO -encryption AES-128 -stdinpass -o Out.dmg'),
      'stdin',
    ],
    [
      'decrypting while converting',
      hdiutilConvert({ from: 'In.dmg', to: 'Out.dmg', format: 'UDZO', sourceIsEncrypted: true }),
      words('convert In.dmg -format UDZO -stdinpass -o Out.dmg'),
      'stdin',
    ],
  ])('for %s', (_what, command, args, password) => {
    expect(command.args).toEqual(args)
    expect(command.password).toBe(password)
    expect(command.program).toBe(args[0] === 'image' || args[0] === 'eject' ? 'diskutil' : 'hdiutil')
  })

  it('keep names whole, and never let one be read as an option', () => {
    const odd = "It's $HOME; `rm`\nnew"
    expect(hdiutilCreate({ ...bundle, volumeName: odd, path: '-quiet' }).args).toEqual([
      ...words('create -size 100g -type SPARSEBUNDLE -fs APFS -volname'),
      odd,
      '-plist',
      './-quiet',
    ])
  })

  it('count sizes in the largest unit that leaves them whole', () => {
    expect([100 * GIB, 2 ** 40, 1500 * 2 ** 20, 15_400_960, 512].map(sizeWord)).toEqual([
      '100g',
      '1t',
      '1500m',
      '30080b',
      '1b',
    ])
  })

  it.each<[string, () => MacCommand]>([
    ['a size that is no sectors', () => hdiutilCreate({ ...bundle, bytes: 1000 })],
    ['no size', () => hdiutilCreate({ ...bundle, bytes: 0 })],
    ['bands below 1 MiB', () => hdiutilCreate({ ...bundle, bandBytes: 2 ** 19 })],
    ['bands above 8 GiB', () => hdiutilCreate({ ...bundle, bandBytes: 2 ** 33 + 512 })],
    ['bands that are no sectors', () => hdiutilCreate({ ...bundle, bandBytes: 2 ** 20 + 1 })],
    ['bands of an image', () => hdiutilCreate({ ...bundle, type: 'UDIF', bandBytes: 2 ** 20 })],
    [
      'bands of another format',
      () => hdiutilConvert({ from: 'a', to: 'b', format: 'UDZO', bandBytes: 2 ** 20 }),
    ],
    [
      'two passwords',
      () => hdiutilConvert({ from: 'a', to: 'b', format: 'UDZO', encryption: 128, sourceIsEncrypted: true }),
    ],
    ['a name like an option', () => hdiutilCreate({ ...bundle, volumeName: '-x' })],
    ['a name with a colon', () => hdiutilCreate({ ...bundle, volumeName: 'a:b' })],
    ['a path with a zero byte', () => hdiutilAttach({ ...attached, path: 'a\0b' })],
  ])('refuse %s', (_what, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})
