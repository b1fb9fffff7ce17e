import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { makeHostileTree } from '../fixtures/hostileTree'
import { mostlyLong } from '../support/mostlyLong'
import {
  addStowageFolders,
  bytesAt,
  entriesBelow,
  factsBelow,
  OWN_FOLDER,
  runScript,
  type Shell,
  sha256,
  type VolumeFolder,
} from '../support/volumeFolders'

let folder: string
let source: string
let target: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-restore-script-'))
  source = join(folder, 'source')
  target = join(folder, '-tar\\get\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A path as the scripts print it. */
const shown = (path: string): string => path.replaceAll('\n', '?')

/** Makes a set of plain files, dealt out to volumes by turns; files of at least `cutBytes` are cut into parts over all of them. */
function plainSet(count: number, cutBytes = Number.POSITIVE_INFINITY): VolumeFolder[] {
  const volumes = Array.from({ length: count }, (_, at) => ({
    path: join(folder, `-volume ${at + 1}'\n`),
    entries: [] as PlanEntry[],
  }))
  for (const { path } of volumes) mkdirSync(path)
  for (const [at, entry] of entriesBelow(source).entries()) {
    const { path, entries } = volumes[at % count] as VolumeFolder
    if (entry.kind !== 'file') entries.push(entry)
    else if (entry.bytes < cutBytes) {
      entries.push(entry)
      copyTo(path, entry.path, readFileSync(bytesAt(source, entry.path)))
    } else cut(volumes, entry)
  }
  addStowageFolders(volumes)
  return volumes
}

function copyTo(volume: string, path: string, content: Uint8Array): void {
  const to = bytesAt(volume, path)
  mkdirSync(to.subarray(0, to.lastIndexOf('/')), { recursive: true })
  writeFileSync(to, content)
}

function cut(volumes: readonly VolumeFolder[], entry: PlanEntry & { kind: 'file' }): void {
  const content = readFileSync(bytesAt(source, entry.path))
  const partBytes = Math.ceil(content.length / volumes.length)
  for (const [at, volume] of volumes.entries()) {
    const offset = at * partBytes
    const part = content.subarray(offset, offset + partBytes)
    // As plans do where the name with the number would be too long
    const slash = entry.path.lastIndexOf('/') + 1
    const stem = entry.path.slice(0, slash) + entry.path.slice(slash).slice(0, 200)
    const path = `${stem}.00${at + 1}`
    copyTo(volume.path, path, part)
    volume.entries.push({
      ...entry,
      kind: 'part',
      path,
      bytes: part.length,
      sha256: sha256(part),
      offset,
      part: at + 1,
      parts: volumes.length,
      wholePath: entry.path,
      wholeBytes: content.length,
      wholeSha256: entry.sha256,
    })
  }
}

function makeSource(): void {
  makeHostileTree(source, { seed: 21, bigBytes: 700_001 })
  writeFileSync(join(source, 'n'.repeat(255)), Buffer.alloc(200_000, 'cut with a long name'))
  const readOnly = join(source, 'read-only')
  mkdirSync(readOnly)
  for (const [name, mode, seconds] of [
    ['before 1970', 0o400, -86_400.5],
    ['leap day', 0o4755, Date.UTC(2096, 1, 29, 23, 59, 59) / 1000],
    ['now', 0o666, Date.now() / 1000],
  ] as const) {
    writeFileSync(join(readOnly, name), name)
    chmodSync(join(readOnly, name), mode)
    utimesSync(join(readOnly, name), seconds, seconds)
  }
  utimesSync(readOnly, 1e9, 1e9)
  chmodSync(readOnly, 0o555)
}

/** All programs that the script calls, from BusyBox and nowhere else. */
function busyboxOnly(): Shell {
  const path = join(folder, 'busybox')
  mkdirSync(path)
  execFileSync('busybox', ['--install', '-s', path])
  return { command: [join(path, 'sh')], path }
}

/** As on macOS: an awk that follows its book closely, and a `touch` that knows neither `@` nor parts of seconds. */
function likeMacos(): Shell {
  const path = join(folder, 'macos')
  mkdirSync(path)
  const touch = join(path, 'touch')
  writeFileSync(touch, '#!/bin/sh\ncase " $*" in *" -d "*) exit 1 ;; esac\nexec /usr/bin/touch "$@"\n')
  chmodSync(touch, 0o755)
  symlinkSync('/usr/bin/original-awk', join(path, 'awk'))
  return { command: ['bash', '--posix'], path: `${path}:${process.env['PATH']}` }
}

const SHELLS: [string, () => Shell][] = [
  ['dash', () => ({ command: ['dash'] })],
  ['bash', () => ({ command: ['bash'] })],
  ['BusyBox, with its own programs', busyboxOnly],
  ['bash, with awk and touch as on macOS', likeMacos],
]

/** BusyBox and POSIX set times in whole seconds. */
function inSeconds(facts: ReadonlyMap<string, string>): Map<string, string> {
  const floor = (ns: string): string => String(BigInt(Math.floor(Number(BigInt(ns) / 1_000_000n) / 1000)))
  return new Map(
    [...facts].map(([path, text]) => [
      path,
      text.replace(/"mtimeNs":"(-?\d+)"/, (_, ns: string) => `"mtimeNs":"${floor(ns)}"`),
    ]),
  )
}

const script = (volume: VolumeFolder, name = 'RESTORE.sh'): string => join(volume.path, OWN_FOLDER, name)

mostlyLong(
  describe,
  SHELLS,
  ([name]) => name === 'dash',
)('RESTORE.sh, run by %s', (_, shellOf) => {
  test('restores names, contents, links, permissions and times, and changes nothing when all is there', () => {
    makeSource()
    const shell = shellOf()
    const volumes = plainSet(3, 150_000)
    const words = ['--trust', target, ...volumes.map(({ path }) => path)]
    const { status, output, errors } = runScript(shell, script(volumes[0] as VolumeFolder), { words })
    expect(errors).toBe('')
    const before = factsBelow(target)
    expect(inSeconds(before)).toEqual(inSeconds(factsBelow(source)))
    expect(output).toMatch(/^(\d+) of \1 files are right$/m)
    expect(status).toBe(0)
    expect(runScript(shell, script(volumes[0] as VolumeFolder), { words })).toMatchObject({
      status: 0,
      errors: '',
    })
    expect(factsBelow(target)).toEqual(before)
  })

  test('restores from one volume after another, and names those that are still needed', {
    tags: 'long',
  }, () => {
    makeSource()
    const shell = shellOf()
    const volumes = plainSet(3, 150_000)
    const ends = volumes.map((volume) => runScript(shell, script(volume), { words: ['--trust', target] }))
    expect(ends.map(({ status }) => status)).toEqual([3, 3, 0])
    expect(ends[0]?.errors).toMatch(/still needed: volume DISC_02 for \d+ files\n/)
    expect(ends[0]?.errors).toContain('the next part is on volume DISC_02')
    expect(ends[1]?.errors).not.toContain('volume DISC_02')
    expect(inSeconds(factsBelow(target))).toEqual(inSeconds(factsBelow(source)))
  })
})

test('nanoseconds of times are restored where touch can set them', { tags: 'long' }, () => {
  makeSource()
  const [volume] = plainSet(1) as [VolumeFolder]
  runScript({ command: ['dash'] }, script(volume), { words: ['--trust', target] })
  expect(factsBelow(target)).toEqual(factsBelow(source))
})

describe('RESTORE.sh', () => {
  const shell: Shell = { command: ['dash'] }
  let volumes: VolumeFolder[]

  beforeEach(() => {
    mkdirSync(source)
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(source, name), `the file ${name}`)
    volumes = plainSet(2)
  })

  const restore = (...words: string[]) =>
    runScript(shell, script(volumes[0] as VolumeFolder), { words: [target, ...words] })

  test('lists damaged and missing files of the volumes at hand, and restores the others', () => {
    const [first = '', second = ''] = volumes.map(({ path }) => path)
    writeFileSync(join(first, 'a'), 'damaged!!!')
    rmSync(join(second, 'b'))
    const { status, output, errors } = restore(first, second)
    expect(errors).toBe('the checksum differs: a\nmissing: b\n')
    expect(output).toBe('2 of 4 files are right\n')
    expect(status).toBe(6)
    expect(readdirSync(target)).toEqual(['c', 'd'])
  })

  test.each(['dash', 'bash', 'busybox sh'])('prints names without control characters in %s', (name) => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(source, { recursive: true })
    for (const one of ['a\u001b[2Jb', 'c\u009b2J\nd\u007fé'])
      writeFileSync(join(source, one), 'of a hostile disc')
    const volumesOf = plainSet(1)
    const [{ path }] = volumesOf as [VolumeFolder]
    for (const one of readdirSync(path)) if (one !== OWN_FOLDER) writeFileSync(join(path, one), 'damaged')
    const { errors, status } = runScript(
      { command: name.split(' ') as [string, ...string[]] },
      script(volumesOf[0] as VolumeFolder),
      {
        words: [target, path],
      },
    )
    expect(errors.split('\n').toSorted()).toEqual([
      '',
      'the checksum differs: a?[2Jb',
      'the checksum differs: c?2J?d?é',
    ])
    expect(status).toBe(6)
  })

  test('never replaces another file', () => {
    mkdirSync(target)
    writeFileSync(join(target, 'a'), 'my own file')
    const { status, errors } = restore(...volumes.map(({ path }) => path))
    expect(errors).toBe(`another file is in the way: ${shown(target)}/a\n`)
    expect(status).toBe(7)
    expect(readFileSync(join(target, 'a'), 'utf8')).toBe('my own file')
    expect(readFileSync(join(target, 'b'), 'utf8')).toBe('the file b')
  })

  test('does not write through a link that is in the target, nor changes what it leads to', {
    tags: 'long',
  }, () => {
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere)
    for (const part of ['e', 'f']) writeFileSync(join(elsewhere, part), `the file deep/${part}`)
    rmSync(source, { recursive: true })
    mkdirSync(join(source, 'deep/er'), { recursive: true })
    for (const path of ['a', 'deep/e', 'deep/er/g', 'deep/h'])
      writeFileSync(join(source, path), `the file ${path}`)
    symlinkSync('nowhere', join(source, 'deep/link'))
    utimesSync(join(source, 'deep'), 1e9, 1e9)
    for (const { path } of volumes) rmSync(path, { recursive: true })
    volumes = plainSet(2, 15)
    mkdirSync(target)
    symlinkSync(elsewhere, join(target, 'deep'))
    const before = factsBelow(folder).get('elsewhere')
    const { status, errors } = restore(...volumes.map(({ path }) => path))
    expect(status).toBe(7)
    expect(errors).toContain(`another file is in the way: ${shown(target)}/deep/er/g\n`)
    expect(readdirSync(elsewhere)).toEqual(['e', 'f'])
    expect(factsBelow(folder).get('elsewhere')).toBe(before)
    expect(readFileSync(join(target, 'a'), 'utf8')).toBe('the file a')
  })

  test('runs from its own folder, with relative folders', () => {
    const [first, second] = volumes as [VolumeFolder, VolumeFolder]
    const own = join(first.path, OWN_FOLDER)
    const words = ['-here', '..', `../../${second.path.slice(folder.length + 1)}`]
    expect(runScript(shell, 'RESTORE.sh', { words, cwd: own }).errors).toBe('')
    expect(readdirSync(join(own, '-here'))).toEqual(['a', 'b', 'c', 'd'])
  })

  test('shows its usage when no target is given', () => {
    const { status, errors } = runScript(shell, script(volumes[0] as VolumeFolder), { words: [] })
    expect([status, errors]).toEqual([2, 'usage: sh RESTORE.sh [--trust] TARGET-FOLDER [VOLUME-FOLDER...]\n'])
  })
})

describe.each(SHELLS.slice(0, 3))('REJOIN.sh, run by %s', (_, shellOf) => {
  const rejoin = (
    volumes: readonly VolumeFolder[],
    from: readonly VolumeFolder[] = volumes,
    shell = shellOf(),
  ) =>
    runScript(shell, script(volumes[0] as VolumeFolder, 'REJOIN.sh'), {
      words: [target, ...from.map(({ path }) => path)],
    })
  const noise = (name: string): Buffer => {
    const content = Buffer.from(Array.from({ length: 3000 }, (__, at) => (at * 7 + name.length) % 251))
    mkdirSync(join(source, name, '..'), { recursive: true })
    writeFileSync(join(source, name), content)
    return content
  }

  test('joins split files, and restores nothing else', () => {
    const content = noise('large')
    writeFileSync(join(source, 'small'), '')
    const volumes = plainSet(2, 1000)
    expect(rejoin(volumes, volumes.toReversed())).toMatchObject({ status: 0, errors: '' })
    expect(readdirSync(target)).toEqual(['large'])
    expect(readFileSync(join(target, 'large')).equals(content)).toBe(true)
  })

  test('joins names of up to 255 bytes, in one call or in several', { tags: 'long' }, () => {
    const names = [246, 247, 248, 254, 255].map((length, at) => String(at) + 'n'.repeat(length - 1))
    for (const name of names) noise(`deep/${name}`)
    const volumes = plainSet(2, 1000)
    const shell = shellOf()
    expect(rejoin(volumes, volumes.slice(0, 1), shell).status).toBe(3)
    expect(rejoin(volumes, volumes.slice(1), shell)).toMatchObject({ status: 0, errors: '' })
    expect(readdirSync(join(target, 'deep'))).toEqual(names)
  })

  test('joins the other files when one cannot be written', { tags: 'long' }, () => {
    noise('a/blocked')
    const content = noise('z')
    const volumes = plainSet(2, 1000)
    mkdirSync(target)
    writeFileSync(join(target, 'a'), 'a file where a folder must be')
    const { status, errors } = rejoin(volumes)
    expect(status).toBe(1)
    expect(errors).toContain('cannot write')
    expect(readFileSync(join(target, 'z')).equals(content)).toBe(true)
  })

  test('shows a wrong checksum, and keeps what it joined under another name', { tags: 'long' }, () => {
    noise('damaged')
    noise('good')
    const volumes = plainSet(2, 1000)
    const part = join((volumes[1] as VolumeFolder).path, 'damaged.002')
    const bytes = readFileSync(part)
    bytes[500] = (bytes[500] as number) ^ 1
    writeFileSync(part, bytes)
    const { status, errors } = rejoin(volumes)
    expect(status).toBe(6)
    expect(errors).toContain('the checksum differs')
    expect(readdirSync(target).toSorted()).toEqual(['damaged.joining', 'good'])
    expect(readFileSync(join(target, 'damaged.joining'))).toHaveLength(3000)
  })

  test('does not take a part of another length', { tags: 'long' }, () => {
    noise('short')
    const volumes = plainSet(2, 1000)
    writeFileSync(join((volumes[1] as VolumeFolder).path, 'short.002'), Buffer.alloc(999))
    const { status, errors } = rejoin(volumes)
    expect(status).toBe(3)
    expect(errors).toContain('the next part is on volume DISC_02')
    expect(existsSync(join(target, 'short'))).toBe(false)
    expect(readFileSync(join(target, 'short.joining'))).toHaveLength(1500)
  })

  test('keeps only whole parts when a part cannot be read, and goes on later', { tags: 'long' }, () => {
    const content = noise('unreadable')
    const volumes = plainSet(2, 1000)
    const shell = shellOf()
    // A program of this name stands for a disc with an unreadable sector: half of the second part, then an error.
    const path = join(folder, 'bin')
    mkdirSync(path)
    writeFileSync(
      join(path, 'cat'),
      '#!/bin/sh\ncase $1 in *.002) head -c 500 "$1"; exit 1 ;; *) exec /bin/cat "$1" ;; esac\n',
    )
    chmodSync(join(path, 'cat'), 0o755)
    // BusyBox looks for no program that it has itself.
    const failing: Shell = { command: ['dash'], path: `${path}:${process.env['PATH']}` }
    const { status, errors } = rejoin(volumes, volumes, failing)
    expect(status).toBe(1)
    expect(errors).toContain('unreadable.002')
    expect(readFileSync(join(target, 'unreadable.joining'))).toHaveLength(1500)
    expect(rejoin(volumes, volumes, shell)).toMatchObject({ status: 0, errors: '' })
    expect(readFileSync(join(target, 'unreadable')).equals(content)).toBe(true)
  })
})

test('the worst of several failures is the exit status', () => {
  mkdirSync(source)
  for (const name of ['a-damaged', 'b-missing']) writeFileSync(join(source, name), Buffer.alloc(3000, name))
  const volumes = plainSet(2, 1000)
  const [first = '', second = ''] = volumes.map(({ path }) => path)
  writeFileSync(join(first, 'a-damaged.001'), Buffer.alloc(1500))
  rmSync(join(second, 'b-missing.002'))
  copyFileSync(join(first, 'b-missing.001'), join(first, 'other'))
  const words = [target, first, second]
  expect(runScript({ command: ['dash'] }, script(volumes[0] as VolumeFolder), { words }).status).toBe(6)
})

test('the scripts pass ShellCheck', () => {
  const scripts = ['restore.sh', 'rejoin.sh'].map((name) =>
    join(import.meta.dirname, '../../src/engine/sets/export', name),
  )
  expect(execFileSync('shellcheck', ['--shell=sh', ...scripts], { encoding: 'utf8' })).toBe('')
})
