import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PlanEntry } from '../../src/contract/dto/plan'
import {
  groupArchives,
  type MergedArchive,
  titleArchives,
} from '../../src/engine/options/builders/sevenZip/mergedArchives'
import { indexTsv } from '../../src/engine/sets/volume/lists/indexTsv'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { pathToBytes } from '../../src/primitives/pathText'
import { makeHostileTree } from '../fixtures/hostileTree'
import { requestFor } from '../support/buildSource'
import { type BuildPlace, buildPlace, writeNoise } from '../support/builtOption'
import { mostlyLong } from '../support/mostlyLong'
import {
  addStowageFolders,
  entriesBelow,
  factsBelow,
  OWN_FOLDER,
  runScript,
  type Shell,
  sha256,
  type VolumeFolder,
} from '../support/volumeFolders'

let place: BuildPlace
let volume: VolumeFolder
let target: string
let programs: string

beforeEach(async () => {
  place = buildPlace()
  volume = { path: join(place.folder, '-volume 1\n'), entries: [] }
  mkdirSync(volume.path)
  target = join(place.folder, '-target')
  programs = join(place.folder, 'programs')
  mkdirSync(programs)
  symlinkSync((await requireTool(sevenZip)).path, join(programs, '7zz'))
})
afterEach(() => place.dispose())

type Container = Extract<PlanEntry, { readonly kind: 'file' | 'folder' }>

/** The entries of what was built, as containers of a set; those of a repository lie in its folder. */
function containersIn(path: string, method: string, folder = ''): Container[] {
  return entriesBelow(path).flatMap((entry) =>
    entry.kind === 'file' || entry.kind === 'folder' ? [{ ...entry, method, path: folder + entry.path }] : [],
  )
}

/** The entries of the source, which say what each file is packed in. */
function packedEntries(placeOf: (path: string) => { in: string; member?: string }): PlanEntry[] {
  return entriesBelow(place.source).map((entry) =>
    entry.kind === 'file' ? Object.assign(entry, placeOf(entry.path)) : entry,
  )
}

/** Puts an archive, image or repository that holds everything on the volume. */
async function addWhole(variant: string, name: string): Promise<void> {
  const { path } = await place.build(variant, { isKept: true })
  const to = join(volume.path, name)
  cpSync(path, to, { recursive: true })
  const method = variant
  const isRepository = /^(borg|restic)-/.test(variant)
  const containers: PlanEntry[] = isRepository
    ? [{ kind: 'folder', path: name, source: to, method }, ...containersIn(to, method, `${name}/`)]
    : [{ kind: 'file', path: name, source: to, ...contentFacts(readFileSync(to)), method }]
  volume.entries.push(...containers, ...packedEntries(() => ({ in: name })))
}

const contentFacts = (content: Buffer): { bytes: number; sha256: string } => ({
  bytes: content.length,
  sha256: sha256(content),
})

/** Puts a folder of archives or compressed files on the volume. */
async function addFolder(
  variant: string,
  placeOf: (path: string) => { in: string; member?: string },
  more: Parameters<BuildPlace['build']>[1] = {},
): Promise<void> {
  const { path } = await place.build(variant, more)
  cpSync(path, volume.path, { recursive: true })
  volume.entries.push(
    ...containersIn(path, variant).filter(({ kind }) => kind === 'file'),
    ...packedEntries(placeOf),
  )
}

/** Which archive a file is in, and under which name. */
function inArchives(archives: readonly MergedArchive[]): (path: string) => { in: string; member?: string } {
  const places = new Map<string, { in: string; member?: string }>()
  for (const { path, files } of archives) {
    for (const { path: own, name } of files)
      places.set(own, { in: path, ...(own === name ? {} : { member: name }) })
  }
  return (path) => places.get(path) as { in: string; member?: string }
}

const SHELLS: readonly Shell['command'][] = [['dash'], ['bash'], ['busybox', 'sh']]

function restore(shell: Shell['command'], more: { words?: string[]; input?: string; path?: string } = {}) {
  const path = more.path ?? `${programs}:${process.env['PATH']}`
  const { words = [], ...rest } = more
  return runScript({ command: shell, path }, join(volume.path, OWN_FOLDER, 'RESTORE.sh'), {
    words: [target, ...words],
    ...rest,
  })
}

/** Names of all kinds, but none with no room for an ending. */
function makeSource(): void {
  makeHostileTree(place.source, { seed: 22 })
  for (const name of readdirSync(place.source, { encoding: 'buffer' }))
    if (name.length > 250) rmSync(Buffer.concat([Buffer.from(`${place.source}/`), name]))
  const deep = join(place.source, 'modes')
  mkdirSync(deep)
  for (const mode of [0o400, 0o640, 0o755]) {
    const file = join(deep, mode.toString(8))
    writeFileSync(file, file)
    chmodSync(file, mode)
    utimesSync(file, mode + 0.25, mode + 0.25)
  }
  utimesSync(deep, 1e9, 1e9)
  chmodSync(deep, 0o555)
}

/** For what does not depend on names. */
function makeFewFiles(): void {
  mkdirSync(join(place.source, 'folder'))
  for (const [at, name] of ['first', 'second', 'folder/third'].entries())
    writeNoise(place.source, name, 3000, at + 1)
}

function expectRestored(ended: ReturnType<typeof restore>): void {
  // borg says which answer it was given in advance.
  expect(ended.errors.replace(/^(Warning: Attempting to access|Do you want to continue).*\n/gm, '')).toBe('')
  expect(factsBelow(target)).toEqual(factsBelow(place.source))
  expect(ended.status).toBe(0)
  expect(ended.output).toMatch(/^(\d+) of \1 files? (is|are) right$/m)
}

/** One of each program that unpacks, but for the slow ones of repositories. */
const QUICK = new Set(['7z-files', 'tar-zst-19-1m-path'])

describe('RESTORE.sh restores everything from', () => {
  mostlyLong(
    test,
    [
      ['7z-files', 'archive.7z'],
      ['7z-solid-1m-path', '-archive.7z'],
      ['7z-solid-1m-content', 'archive.7z'],
      ['7z-t7z', 'archive.7z'],
      ['tar-zst-19-1m-path', 'archive.tar.zst'],
      ['squashfs-gzip-128k', 'image.squashfs'],
      ['iso', 'image.iso'],
      ['udzo', 'image.dmg'],
      ['borg-1-zstd-3', 'repository'],
      ['restic-auto', 'repository'],
    ],
    ([variant]) => QUICK.has(variant),
  )('%s', async (variant, name) => {
    makeSource()
    await addWhole(variant, name)
    addStowageFolders([volume])
    expectRestored(restore(SHELLS[variant.length % 3] as Shell['command']))
  })

  mostlyLong(
    test,
    [
      ['files-gzip-6', '.gz'],
      ['files-zstd-3', '.zst'],
      ['files-lz4', '.lz4'],
    ],
    ([variant]) => variant === 'files-lz4',
  )('%s', async (variant, ending) => {
    makeSource()
    await addFolder(variant, (path) => ({ in: path + ending }))
    addStowageFolders([volume])
    expectRestored(restore(SHELLS[variant.length % 3] as Shell['command']))
  })

  mostlyLong(
    test,
    [
      ['GNU tar', ['dash']],
      ['BusyBox', ['busybox', 'sh']],
    ] as const,
    ([name]) => name === 'BusyBox',
  )('tar archives with read-only folders, for anyone, by %s', async (name, command) => {
    const inner = join(place.source, 'outer', 'inner')
    mkdirSync(inner, { recursive: true })
    for (const folder of [inner, join(inner, '..')]) {
      writeFileSync(join(folder, 'file'), folder)
      chmodSync(folder, 0o555)
    }
    await addWhole('tar-zst-19-1m-path', 'archive.tar.zst')
    addStowageFolders([volume])
    if (name === 'BusyBox')
      symlinkSync(execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim(), join(programs, 'tar'))
    chmodSync(place.folder, 0o777)
    // Permissions do not bind root.
    const asAnyone =
      process.getuid?.() === 0
        ? (['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] as const)
        : []
    const [program, ...args] = [...asAnyone, ...command] as [string, ...string[]]
    const ended = restore([program, ...args])
    expectRestored({ ...ended, errors: name === 'BusyBox' ? '' : ended.errors })
  })

  test('7z-titles', { tags: 'long' }, async () => {
    makeSource()
    const request = requestFor([place.source], place.folder, '7z-titles')
    await addFolder('7z-titles', inArchives(titleArchives(request)))
    addStowageFolders([volume])
    expectRestored(restore(['dash']))
  })

  test('torrentzip-titles, with names in code page 437', { tags: 'long' }, async () => {
    for (const name of ['Pokémon (U).gb', 'Pokémon (D).gb', '日本.bin', 'α/Game (E).rom', 'plain.rom']) {
      mkdirSync(dirname(join(place.source, name)), { recursive: true })
      writeFileSync(join(place.source, name), name.repeat(1000))
    }
    const request = requestFor([place.source], place.folder, 'torrentzip-titles')
    await addFolder('torrentzip-titles', inArchives(titleArchives(request, '.zip')))
    addStowageFolders([volume])
    expectRestored(restore(['dash']))
    rmSync(target, { recursive: true, force: true })
    const archive = join(volume.path, 'plain.zip')
    execFileSync(join(programs, '7zz'), ['rn', archive, 'plain.rom', 'other.rom'])
    const { errors } = restore(['dash'], { path: onlyWith(['7zz']) })
    expect(errors).toMatch(/names such as Pokémon \([UD]\)\.gb need iconv/)
    expect(errors).not.toContain('such as plain.rom')
  })

  test('7z-groups', { tags: 'long' }, async () => {
    makeSource()
    const { files } = requestFor([place.source], place.folder, '7z-groups')
    const groups = [files.slice(0, 20), files.slice(20)].map((group) => ({ place: null, files: group }))
    await addFolder('7z-groups', inArchives(groupArchives(groups)), { groups: () => Promise.resolve(groups) })
    addStowageFolders([volume])
    expectRestored(restore(['dash']))
  })

  test('an ISO image with 7-Zip alone, whose names are no UTF-8', async () => {
    writeFileSync(Buffer.from(`${place.source}/caf\xe9`, 'latin1'), 'content')
    symlinkSync('target', join(place.source, 'link'))
    await addWhole('iso', 'image.iso')
    addStowageFolders([volume])
    expectRestored(restore(['dash'], { path: onlyWith(['7zz']) }))
  })

  test('a disk image with dmg2img and with 7-Zip', async () => {
    writeFileSync(join(place.source, 'a file'), 'content')
    await addWhole('udzo', 'image.dmg')
    addStowageFolders([volume])
    for (const wanted of [['dmg2img', 'xorriso'], ['7zz']]) {
      rmSync(target, { recursive: true, force: true })
      expectRestored(restore(['dash'], { path: onlyWith(wanted) }))
    }
  })
})

/** A folder with the programs of every system, and some more. */
function onlyWith(wanted: readonly string[]): string {
  const path = join(place.folder, `only ${wanted.join(' ')}`)
  mkdirSync(path)
  const basic =
    'sh dash awk sort sed sha256sum wc cat mv rm mkdir chmod touch ln readlink find grep tr tar dd stty id chown uname'.split(
      ' ',
    )
  for (const name of [...basic, ...wanted]) {
    const from =
      name === '7zz' ? join(programs, name) : execFileSync('which', [name], { encoding: 'utf8' }).trim()
    symlinkSync(from, join(path, name))
  }
  return path
}

/** Cuts the archive of the volume over two. */
function cutInTwo(name: string): VolumeFolder {
  const second: VolumeFolder = { path: join(place.folder, 'volume 2'), entries: [] }
  mkdirSync(second.path)
  const content = readFileSync(join(volume.path, name))
  rmSync(join(volume.path, name))
  const at = volume.entries.findIndex(({ path }) => path === name)
  const [whole] = volume.entries.splice(at, 1) as [Container & { kind: 'file' }]
  const half = Math.ceil(content.length / 2)
  for (const [index, { path, entries }] of [volume, second].entries()) {
    const offset = index * half
    const part = content.subarray(offset, offset + half)
    const partName = `${name}.00${index + 1}`
    writeFileSync(join(path, partName), part)
    const wholeFacts = { wholePath: name, wholeBytes: content.length, wholeSha256: sha256(content) }
    const where = { offset, part: index + 1, parts: 2, ...wholeFacts }
    entries.unshift({ ...whole, kind: 'part', path: partName, ...contentFacts(part), ...where })
  }
  return second
}

describe('an archive that is cut over two volumes', () => {
  let second: VolumeFolder
  beforeEach(async () => {
    makeFewFiles()
    await addWhole('7z-solid-1m-path', 'archive.7z')
    second = cutInTwo('archive.7z')
    addStowageFolders([volume, second])
  })

  test('is joined and unpacked', () => {
    expectRestored(restore(['dash'], { words: [volume.path, second.path] }))
  })

  test('is joined in several calls, and leaves nothing in the target', { tags: 'long' }, () => {
    const first = restore(['busybox', 'sh'])
    expect(first.status).toBe(3)
    expect(first.errors).toContain('the next part is on volume DISC_02')
    expectRestored(restore(['busybox', 'sh'], { words: [second.path] }))
    expect(restore(['busybox', 'sh'])).toMatchObject({ status: 0, errors: '' })
  })
})

test('a missing program is named, and files that do not need it are restored', async () => {
  mkdirSync(join(place.source, 'a'))
  writeFileSync(join(place.source, 'a', 'packed'), 'packed by zstd')
  await addWhole('tar-zst-19-1m-path', 'archive.tar.zst')
  volume.entries.push({
    kind: 'file',
    path: 'plain',
    source: '/none',
    ...contentFacts(Buffer.from('as it is')),
  })
  writeFileSync(join(volume.path, 'plain'), 'as it is')
  addStowageFolders([volume])
  expect(restore(['dash'], { path: onlyWith([]) })).toEqual({
    status: 5,
    output: 'unpacking: archive.tar.zst\n1 of 2 files are right\n',
    errors:
      'cannot find zstd, which is needed for unpacking tar-zst-19-1m-path\n' +
      'not unpacked: 1 file in archives that no program here opens\n',
  })
  expect(readFileSync(join(target, 'plain'), 'utf8')).toBe('as it is')
  expect(restore(['dash'])).toMatchObject({ status: 0, errors: '' })
  expect(readFileSync(join(target, 'a', 'packed'), 'utf8')).toBe('packed by zstd')
})

test('readable files of a damaged archive are restored, and the others are listed', {
  tags: 'long',
}, async () => {
  writeNoise(place.source, 'first', 50_000)
  writeNoise(place.source, 'second', 50_000, 2)
  await addWhole('7z-files', 'archive.7z')
  addStowageFolders([volume])
  const archive = join(volume.path, 'archive.7z')
  const content = readFileSync(archive)
  content[70_000] = (content[70_000] as number) ^ 1
  writeFileSync(archive, content)
  const { status, errors, output } = restore(['dash'])
  expect(errors).toContain('the checksum differs: second')
  expect(output).toContain('1 of 2 files are right')
  expect(status).toBe(6)
  expect(readFileSync(join(target, 'first')).equals(readFileSync(join(place.source, 'first')))).toBe(true)
})

describe('an encrypted set', () => {
  const PASSWORD = 'a pass\\word "with" $signs'

  beforeEach(() => {
    makeFewFiles()
    const encrypt = (archive: string, cwd: string, names: string[]): void => {
      const args = ['a', '-mhe=on', `-p${PASSWORD}`, '-bso0', archive, ...names]
      execFileSync(join(programs, '7zz'), args, { cwd, stdio: 'pipe' })
    }
    const archive = join(volume.path, 'archive.7z')
    encrypt(archive, place.source, ['.'])
    const facts = contentFacts(readFileSync(archive))
    const container = {
      kind: 'file',
      path: 'archive.7z',
      source: archive,
      ...facts,
      method: '7z-files',
    } as const
    volume.entries.push(container)
    addStowageFolders([volume])
    const entries = [container, ...packedEntries(() => ({ in: 'archive.7z' }))]
    const index = join(place.folder, 'INDEX.tsv')
    writeFileSync(index, pathToBytes([...indexTsv([{ index: 1, label: 'DISC_01', entries }])].join('')))
    encrypt(join(volume.path, OWN_FOLDER, 'INDEX.7z'), place.folder, ['INDEX.tsv'])
  })

  mostlyLong(
    test,
    SHELLS.map((shell) => ({ shell })),
    ({ shell }) => shell[0] === 'dash',
  )('is restored by $shell with the password, asked for once', ({ shell }) => {
    const { errors, ...ended } = restore(shell, { input: `${PASSWORD}\n` })
    expect(errors).toBe('Password: ')
    expectRestored({ ...ended, errors: '' })
  })

  test('is unpacked as it is when the index cannot be read', { tags: 'long' }, () => {
    rmSync(join(volume.path, OWN_FOLDER, 'INDEX.7z'))
    writeFileSync(join(volume.path, OWN_FOLDER, 'INDEX.7z'), 'damaged')
    const { status, errors } = restore(['dash'], { input: `${PASSWORD}\n` })
    expect(errors).toContain('INDEX.7z: the archives are unpacked as they are')
    expect(status).toBe(6)
    const file = 'first'
    const restored = readFileSync(join(target, 'archive.7z', file))
    expect(restored.equals(readFileSync(join(place.source, file)))).toBe(true)
  })

  test('shows a wrong password', { tags: 'long' }, () => {
    const { status, errors } = restore(['dash'], { input: 'wrong\n' })
    expect(errors).toContain('Wrong password')
    expect(errors).toContain('cannot unpack archive.7z')
    expect(status).toBe(6)
    // What could not be unpacked does not count as there the next time.
    expect(readdirSync(target)).toEqual([])
  })
})
