import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SeededRandom } from '../../../src/primitives/seededRandom.ts'
import { type Place, plain } from './faultedCommand.ts'
import { sizeOf } from './readings.ts'
import type { Reading, Scenario, Stowage } from './scenario.ts'

const [OLD_PASSWORD, NEW_PASSWORD] = ['correct horse', 'battery staple']
const DISK_BYTES = 6 << 20

/** The commands that make and change disk images. */
export function imageScenarios(random: SeededRandom): Scenario[] {
  const onDisk = new Uint8Array(DISK_BYTES)
  random.fillBytes(onDisk.subarray(0, 2 << 20))
  random.fillBytes(onDisk.subarray(4 << 20, (4 << 20) + 70_000))

  const disk = (out: string): string => {
    writeFileSync(join(out, 'disk.img'), onDisk)
    return join(out, 'disk.img')
  }
  const oldPassword = (folder: string): string[] => ['--password-file', join(folder, 'old.password')]
  const passwordFiles = (folder: string): void => {
    writeFileSync(join(folder, 'old.password'), `${OLD_PASSWORD}\n`)
    writeFileSync(join(folder, 'new.password'), `${NEW_PASSWORD}\n`)
  }
  const image =
    (name: string, isEncrypted = false) =>
    async (place: Place): Promise<Reading> => ({ image: await imageReading(place, name, isEncrypted) })
  const changedImage = (
    name: string,
    kind: string,
    verb: (path: string) => string[],
    prepare: (stowage: Stowage, path: string) => Promise<unknown> = () => Promise.resolve(),
  ): Scenario => ({
    name: `image ${verb('')[0]} ${kind}`,
    setup: async (stowage, { out }) => {
      const bands = kind === 'UDSB' ? ['--band', '1MiB'] : []
      await stowage('image', 'convert', disk(out), join(out, name), '--to', kind, ...bands)
      await prepare(stowage, join(out, name))
    },
    args: ({ out }) => ['image', ...verb(join(out, name))],
    reading: image(name),
  })

  return [
    ...(['UDSB', 'UDSP', 'UDRW'] as const).map((kind) => ({
      name: `image create ${kind}`,
      args: ({ out }: Place) => ['image', 'create', join(out, 'new'), '--size', '30MiB', '--kind', kind],
      reading: image('new'),
      share: 0.5,
    })),
    {
      name: 'image create --encrypt',
      setup: (_stowage, { folder }) => passwordFiles(folder),
      args: ({ folder, out }) => [
        'image',
        'create',
        join(out, 'a.sparsebundle'),
        '--size',
        '30MiB',
        '--encrypt',
        '256',
        ...oldPassword(folder),
      ],
      reading: image('a.sparsebundle', true),
      share: 0.5,
    },
    {
      name: 'image create --force UDSB',
      setup: async (stowage, { out }) => {
        await stowage('image', 'convert', disk(out), join(out, 'a.sparsebundle'))
      },
      args: ({ out }) => ['image', 'create', join(out, 'a.sparsebundle'), '--size', '30MiB', '--force'],
      reading: image('a.sparsebundle'),
    },
    ...(['UDZO', 'UDSB', 'UDSP', 'UDRW'] as const).map((kind) => ({
      name: `image convert --to ${kind}`,
      setup: (_stowage: Stowage, { out }: Place) => {
        disk(out)
      },
      args: ({ out }: Place) => ['image', 'convert', join(out, 'disk.img'), join(out, 'new'), '--to', kind],
      reading: image('new'),
    })),
    {
      name: 'image convert --force UDZO',
      setup: async (stowage, { out }) => {
        disk(out)
        await stowage('image', 'create', join(out, 'a.dmg'), '--size', '3MiB', '--kind', 'UDRW')
      },
      args: ({ out }) => [
        'image',
        'convert',
        join(out, 'disk.img'),
        join(out, 'a.dmg'),
        '--to',
        'UDZO',
        '--force',
      ],
      reading: image('a.dmg'),
    },
    changedImage('a.sparsebundle', 'UDSB', (path) => ['resize', path, '60MiB']),
    changedImage('a.sparseimage', 'UDSP', (path) => ['resize', path, '60MiB']),
    changedImage('a.img', 'UDRW', (path) => ['resize', path, '60MiB']),
    changedImage(
      'a.sparsebundle',
      'UDSB',
      (path) => ['compact', path],
      (_stowage, path) => {
        for (const band of ['3', '5']) writeFileSync(join(path, 'bands', band), new Uint8Array(1 << 20))
        return Promise.resolve()
      },
    ),
    changedImage('a.sparseimage', 'UDSP', (path) => ['compact', path]),
    changedImage('a.sparsebundle', 'UDSB', (path) => ['rebands', path, '2MiB']),
    ...(['a.sparsebundle', 'a.img'] as const).map((name) => ({
      name: `image passwd ${name}`,
      setup: async (stowage: Stowage, { folder, out }: Place) => {
        passwordFiles(folder)
        const to = ['--encrypt', '128', '--new-password-file', join(folder, 'old.password')]
        await stowage('image', 'convert', disk(out), join(out, name), ...to)
      },
      args: ({ folder, out }: Place) => [
        'image',
        'passwd',
        join(out, name),
        ...oldPassword(folder),
        '--new-password-file',
        join(folder, 'new.password'),
      ],
      reading: image(name, true),
    })),
  ]
}

/** The kind of an image and the digest of the disk in it; '-' for none, and the reason where it does not open. */
export async function imageReading(place: Place, name: string, isEncrypted: boolean): Promise<string> {
  const path = join(place.out, name)
  if (sizeOf(path) === '-') return '-'
  const passwords = isEncrypted ? ['old.password', 'new.password'] : [null]
  let last = ''
  for (const file of passwords) {
    const unlock = file === null ? [] : ['--password-file', join(place.folder, file)]
    const reader = { ...place, home: join(place.folder, 'reader') }
    const { code, stdout, stderr } = await plain(reader, [
      'image',
      'verify',
      path,
      '--sha256',
      '--json',
      ...unlock,
    ])
    // 6: it opens, and something is wrong with it.
    if (code === 0 || (code === 6 && stdout !== '')) {
      const { sha256, problems } = JSON.parse(stdout) as { sha256: string; problems: string[] }
      return `${file ?? 'open'} ${sha256.slice(0, 16)}${problems.map((problem) => `: ${problem}`).join('')}`
    }
    last = stderr.trim()
  }
  return `does not open: ${last}`
}
