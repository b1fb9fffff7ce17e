import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { titleMember, titlePlace } from '../../src/domain/forecast/titles'
import type { ContentPlace } from '../../src/engine/files/read'
import { convertContainer } from '../../src/engine/native/containers'
import { COPY_SHARE } from '../../src/engine/sets/unpack/byProgram'
import { isRepository, type Unpacked, unpack } from '../../src/engine/sets/unpack/unpack'
import type { Container, FoundMember } from '../../src/engine/sets/unpack/unpacker'
import { borg, restic } from '../../src/engine/tools/backupTools'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { pathToBytes } from '../../src/primitives/pathText'
import { makeHostileTree } from '../fixtures/hostileTree'
import { contentOf } from '../support/buildSource'
import { type BuildPlace, buildPlace, failureOf } from '../support/builtOption'
import { mostlyLong } from '../support/mostlyLong'

const ENDINGS = { gzip: '.gz', zstd: '.zst', lz4: '.lz4' } as const
let place: BuildPlace
let digests: Map<string, string>

beforeAll(() => {
  place = buildPlace()
  makeHostileTree(place.source, { seed: 3, bigBytes: 3_000_000 })
  // The same name in several folders, of which one archive of titles holds only one.
  mkdirSync(join(place.source, 'other'))
  writeFileSync(join(place.source, 'other/exactly one sector'), 'another file')
  digests = digestsOf(place.source)
})
afterAll(() => place.dispose())

function digestsOf(source: string): Map<string, string> {
  const content = contentOf(source, { folders: false, links: false })
  return new Map([...content].filter(([, digest]) => digest !== 'folder'))
}

function digestAt({ file, offset, bytes }: ContentPlace): string {
  const content = Buffer.alloc(bytes)
  const handle = openSync(Buffer.from(pathToBytes(file)), 'r')
  try {
    expect(readSync(handle, content, 0, bytes, offset)).toBe(bytes)
  } finally {
    closeSync(handle)
  }
  return createHash('sha256').update(content).digest('hex')
}

/** Of the content, which has to be that of the unpacker where it has one. */
function digestOf({ content, sha256 }: FoundMember): string {
  if (content === null) throw new Error('there is no content')
  const digest = Buffer.isBuffer(content)
    ? createHash('sha256').update(content).digest('hex')
    : digestAt(content)
  expect(sha256 ?? digest).toBe(digest)
  return digest
}

const whole = (file: string): ContentPlace => ({
  file,
  offset: 0,
  bytes: statSync(Buffer.from(pathToBytes(file))).size,
})

/** Of a file of the source, where it is one. */
function sizeOf(member: string): number {
  const path = join(place.source, member)
  return statSync(Buffer.from(pathToBytes(path)), { throwIfNoEntry: false })?.size ?? 0
}

async function unpacked(
  method: string,
  container: Container,
  members: Iterable<string>,
  password: string | null = null,
): Promise<{ found: Map<string, string>; failure: Unpacked['failure']; sizes: number[]; shares: number[] }> {
  const scratch = mkdtempSync(join(place.folder, 'unpack-'))
  const shares: number[] = []
  const wanted = new Set(members)
  const bytes = [...wanted].reduce((sum, member) => sum + sizeOf(member), 0)
  try {
    const { found: all, failure } = await unpack(method, container, wanted, {
      scratch: () => scratch,
      digestsOnly: false,
      password: password === null ? null : Buffer.from(password),
      signal: new AbortController().signal,
      bytes,
      onShare: (share) => void shares.push(share),
    })
    const found = new Map([...all].map(([member, one]) => [member, digestOf(one)]))
    return { found, failure, sizes: [...all.values()].map((one) => one.bytes), shares }
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function containerAt(method: string, path: string): Container {
  return isRepository(method) ? { folder: path } : whole(path)
}

const ONE_CONTAINER = [
  '7z-files',
  '7z-solid-1m-path',
  '7z-solid-1m-type',
  '7z-solid-1m-content',
  '7z-t7z',
  'tar-zst-19-1m-path',
  'tar-zst-19-1m-content',
  'squashfs-gzip-128k',
  'squashfs-zstd-3-1m',
  'iso',
  'udzo',
  'borg-1-none',
  'borg-1-zstd-3',
  'restic-auto',
]

/** Those whose unpacker is that of another method of the list. */
const NAMED_ALIKE: ReadonlySet<string> = new Set([
  '7z-solid-1m-path',
  '7z-solid-1m-type',
  '7z-t7z',
  'tar-zst-19-1m-content',
  'squashfs-zstd-3-1m',
  'borg-1-zstd-3',
])

const NAMES = ['hard link', 'deep/file', '-rf', ' lead', 'fol"der\n=\\/new\nline', '\udcff\udcfe']

/** One of each unpacker, but for those of 7z and tar, whose sets other tests restore in every run. */
const QUICK = new Set(['squashfs-gzip-128k', 'iso', 'udzo', 'borg-1-none', 'restic-auto'])

describe.each(ONE_CONTAINER)('%s', (method) => {
  let path: string
  beforeAll(async () => {
    path = (await place.build(method, { isKept: true })).path
  })

  const tags = QUICK.has(method) ? [] : ['long']
  test('gives back every file, byte for byte in name and content', { tags }, async () => {
    const { found, failure, shares } = await unpacked(method, containerAt(method, path), digests.keys())
    expect(failure).toBeNull()
    expect(found).toEqual(digests)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    // Their bytes are counted; others are looked at now and then, and may be done before the first look.
    if (/^tar|content$|^udzo|^borg|^restic/.test(method)) expect(shares.at(-1)).toBeGreaterThan(0.9)
    expect(shares.at(-1) ?? 0).toBeLessThanOrEqual(1)
  })

  const isStream = /^tar|content$|^borg|^restic/.test(method)
  if (isStream)
    test('as a stream gives the digest of every file without writing it, where digests are enough', {
      tags: 'long',
    }, async () => {
      const scratch = mkdtempSync(join(place.folder, 'digests-'))
      const { found, failure } = await unpack(method, containerAt(method, path), new Set(digests.keys()), {
        scratch: () => scratch,
        digestsOnly: true,
        password: null,
        signal: new AbortController().signal,
        bytes: 1,
        onShare: () => undefined,
      })
      expect(failure).toBeNull()
      expect(new Map([...found].map(([member, { sha256 }]) => [member, sha256]))).toEqual(digests)
      expect(readdirSync(scratch).filter((name) => name.startsWith('member'))).toEqual([])
    })

  // How names are given to a program is the same for all that it packs.
  const names = NAMED_ALIKE.has(method) ? ['\udcff\udcfe'] : NAMES
  test.each(names)('gives back one file alone: %j', { tags: 'long' }, async (member) => {
    const { found, failure } = await unpacked(method, containerAt(method, path), [member])
    expect(failure).toBeNull()
    expect(found).toEqual(new Map([[member, digests.get(member)]]))
  })

  if (!isRepository(method))
    test('in an image is read from the middle of it', { tags: 'long' }, async () => {
      const image = join(place.folder, 'image')
      const content = readFileSync(path)
      writeFileSync(image, Buffer.concat([Buffer.alloc(4096, 1), content, Buffer.alloc(4096, 2)]))
      const members = ['deep/file', '\udcff\udcfe']
      const range = { file: image, offset: 4096, bytes: content.length }
      const { found, failure, shares } = await unpacked(method, range, members)
      expect(failure).toBeNull()
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
      // Programs get a copy of the range, whose bytes are counted.
      if (/^(7z|squashfs|udzo)/.test(method)) expect(shares.at(-1)).toBeGreaterThanOrEqual(COPY_SHARE)
      expect(found).toEqual(new Map(members.map((member) => [member, digests.get(member)])))
    })

  if (!isRepository(method))
    test('that is cut short or is other data gives what is left, and a plain reason', {
      tags: 'long',
    }, async () => {
      const content = readFileSync(path)
      const spoilt = join(place.folder, 'spoilt')
      for (const made of [content.subarray(0, content.length / 2), Buffer.alloc(content.length)]) {
        writeFileSync(spoilt, made)
        const { found, failure } = await unpacked(method, whole(spoilt), digests.keys())
        expect(found.size).toBeLessThan(digests.size)
        // What lies beyond the end of an ISO image is not found; the rest is whole.
        if (method !== 'iso') expect(failure?.message).toMatch(/^cannot [^\n]+$/)
      }
    })

  test('does not find what it does not hold', { tags: 'long' }, async () => {
    const { found } = await unpacked(method, containerAt(method, path), ['deep/file', 'deep/none'])
    expect([...found.keys()]).toEqual(['deep/file'])
  })
})

/** A source whose names leave room for an ending. */
function shortNames(): string {
  const source = join(place.folder, 'short names')
  if (!existsSync(source)) {
    makeHostileTree(source, { seed: 3, bigBytes: 3_000_000 })
    for (const name of readdirSync(source, { encoding: 'buffer' }))
      if (name.length > 200) rmSync(Buffer.concat([Buffer.from(`${source}/`), name]))
  }
  return source
}

mostlyLong(test, ['files-gzip-6', 'files-gzip-9', 'files-zstd-3', 'files-zstd-19', 'files-lz4'], (method) =>
  ['files-gzip-6', 'files-zstd-3', 'files-lz4'].includes(method),
)('%s gives back every file from its own container', async (method) => {
  const { path } = await place.build(method, {}, [shortNames()])
  const ending = ENDINGS[method.split('-')[1] as keyof typeof ENDINGS]
  for (const [member, digest] of digestsOf(shortNames())) {
    const { found, failure } = await unpacked(method, whole(`${path}/${member}${ending}`), [member])
    expect([member, failure]).toEqual([member, null])
    expect(found).toEqual(new Map([[member, digest]]))
  }
  const cut = join(place.folder, 'cut')
  const big = readFileSync(`${path}/big file.bin${ending}`)
  writeFileSync(cut, big.subarray(0, big.length - 5000))
  const { failure } = await unpacked(method, whole(cut), ['big file.bin'])
  expect(failure?.code).toBe('verification-failed')
})

test('7z-titles gives back every file from the archives of their titles', { tags: 'long' }, async () => {
  const { path } = await place.build('7z-titles', {}, [shortNames()])
  const files = [...digestsOf(shortNames())].filter(
    ([member]) => member.endsWith('.txt') || member.startsWith('deep/'),
  )
  for (const [file, digest] of files) {
    const member = titleMember(file)
    const { found } = await unpacked('7z-titles', whole(`${path}/${titlePlace(file)}.7z`), [member])
    expect([file, found.get(member)]).toEqual([file, digest])
  }
})

test('torrentzip-titles gives back every file, and of a damaged zip the others', {
  tags: 'long',
}, async () => {
  const source = join(place.folder, 'roms')
  mkdirSync(source)
  const names = ['Pokémon (U).gb', 'Pokémon (D).gb', 'Pokémon (J).gb']
  for (const name of names) writeFileSync(join(source, name), name.repeat(20_000))
  const { path } = await place.build('torrentzip-titles', {}, [source])
  const archive = join(path, 'Pokémon.zip')
  expect((await unpacked('torrentzip-titles', whole(archive), names)).found).toEqual(digestsOf(source))
  const bytes = readFileSync(archive)
  // Into the content of the first file, behind its header.
  bytes.fill(0xff, 60, 100)
  const cut = join(place.folder, 'damaged.zip')
  writeFileSync(cut, bytes)
  const { found, failure } = await unpacked('torrentzip-titles', whole(cut), names)
  expect(failure?.code).toBe('verification-failed')
  expect([...found.keys()].toSorted()).toEqual(['Pokémon (J).gb', 'Pokémon (U).gb'])
})

describe('an encrypted container', () => {
  const members = ['deep/file', '-rf']
  const right = (): Map<string, string | undefined> =>
    new Map(members.map((member) => [member, digests.get(member)]))

  async function sevenZipWith(password: string): Promise<Container> {
    const tool = await requireTool(sevenZip)
    const path = join(place.folder, 'encrypted.7z')
    rmSync(path, { force: true })
    execFileSync(
      tool.path,
      ['a', '-t7z', `-p${password}`, '-mhe=on', '-snl', path, '--', '-rf', 'deep/file'],
      {
        cwd: place.source,
      },
    )
    return whole(path)
  }

  async function udzoWith(password: string): Promise<Container> {
    const { path } = await place.build('iso')
    const image = join(place.folder, 'encrypted.dmg')
    rmSync(image, { force: true })
    const encryption = { keyBits: 256, password: Buffer.from(password), rounds: 1000 } as const
    await convertContainer(path, image, { kind: 'UDIF', encryption })
    return whole(image)
  }

  async function borgWith(password: string): Promise<Container> {
    const tool = await requireTool(borg)
    const folder = join(place.folder, 'encrypted borg')
    rmSync(folder, { recursive: true, force: true })
    const env = { ...process.env, BORG_BASE_DIR: join(place.folder, 'borg'), BORG_PASSPHRASE: password }
    execFileSync(tool.path, ['init', '-e', 'repokey', folder], { env, stdio: 'ignore' })
    execFileSync(tool.path, ['create', `${folder}::source`, 'deep/file', './-rf'], { env, cwd: place.source })
    return { folder }
  }

  async function resticWith(password: string): Promise<Container> {
    const tool = await requireTool(restic)
    const folder = join(place.folder, 'encrypted restic')
    rmSync(folder, { recursive: true, force: true })
    const env = { ...process.env, RESTIC_PASSWORD: password, RESTIC_REPOSITORY: folder }
    execFileSync(tool.path, ['init', '--no-cache', '-q'], { env })
    execFileSync(tool.path, ['backup', '--no-cache', '-q', 'deep/file', './-rf'], { env, cwd: place.source })
    return { folder }
  }

  test.each([
    ['7z-solid-64m-path', sevenZipWith],
    ['udzo', udzoWith],
    ['borg-1-none', borgWith],
    ['restic-auto', resticWith],
  ])('%s opens with its password and with no other', { tags: 'long' }, async (method, made) => {
    const password = 'pä$$ word"\''
    const container = await made(password)
    const { found, failure } = await unpacked(method, container, members, password)
    expect(failure).toBeNull()
    expect(found).toEqual(right())
    for (const wrong of ['other', null]) {
      const thrown = await failureOf(unpacked(method, container, members, wrong))
      expect(thrown.code).toBe('wrong-password')
      expect(thrown.message).toMatch(/^cannot [^\n]+$/)
    }
  })
})

test('squashfs is unpacked by 7-Zip where there is no unsquashfs', { tags: 'long' }, async () => {
  const { path } = await place.build('squashfs-gzip-1m')
  const programs = process.env['PATH']
  process.env['PATH'] = ''
  try {
    const { found, failure } = await unpacked('squashfs-gzip-1m', whole(path), digests.keys())
    expect(failure).toBeNull()
    expect(found).toEqual(digests)
  } finally {
    process.env['PATH'] = programs
  }
})

describe('a hostile container', () => {
  const hostile = (): string => {
    const folder = join(place.folder, 'hostile')
    if (existsSync(folder)) return folder
    mkdirSync(folder)
    writeFileSync(join(folder, 'honest'), 'honest')
    writeFileSync(join(place.folder, 'secret'), 'secret')
    symlinkSync(join(place.folder, 'secret'), join(folder, 'link'))
    symlinkSync(place.folder, join(folder, 'folder'))
    return folder
  }
  const members = ['honest', 'link', 'folder/secret']

  test('7z with links gives nothing that is outside of it', async () => {
    const tool = await requireTool(sevenZip)
    const path = join(place.folder, 'hostile.7z')
    execFileSync(tool.path, ['a', '-t7z', '-snl', path, '.'], { cwd: hostile() })
    const { found } = await unpacked('7z-files', whole(path), members)
    expect([...found.keys()]).toEqual(['honest'])
  })

  test('squashfs with links gives nothing that is outside of it', async () => {
    const { path } = await place.build('squashfs-gzip-1m', {}, [hostile()])
    const { found } = await unpacked('squashfs-gzip-1m', whole(path), members)
    expect([...found.keys()]).toEqual(['honest'])
  })

  test('tar with names that lead out gives only what is asked for, below its scratch', async () => {
    const path = join(place.folder, 'hostile.tar.zst')
    const tar = execFileSync('tar', [
      '-c',
      '-P',
      '-C',
      hostile(),
      '--transform',
      's,^honest$,../../honest,',
      'honest',
      'link',
    ])
    writeFileSync(path, zstdCompressSync(tar))
    const { found } = await unpacked('tar-zst-19-4m-path', whole(path), ['../../honest', 'link'])
    expect([...found.keys()]).toEqual(['../../honest'])
    expect(existsSync(join(place.folder, 'honest'))).toBe(false)
  })
})

test('a method that is not unpacked is refused', async () => {
  const container = { file: '/dev/null', offset: 0, bytes: 0 }
  for (const method of ['plain', 'kopia-none', 'zfs-1m-off-nodedup', 'borg-1-none', 'no recipe'])
    expect((await failureOf(unpacked(method, container, ['x']))).code).toBe('bad-input')
})
