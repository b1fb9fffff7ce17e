import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { entryPath, NO_FILE_NUMBER, startNativeSurvey } from '../../../../src/engine/native/addon'
import { pathFromBytes } from '../../../../src/primitives/pathText'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { boundByPermissions } from '../../../support/boundByPermissions'
import {
  countedByContent,
  DEFAULTS,
  hole,
  put,
  surveyed,
  temporaryFolder,
} from '../../../support/surveyedFolder'

const MEBIBYTE = 1 << 20

function noise(bytes: number, seed: number): Uint8Array {
  const content = new Uint8Array(bytes)
  seededRandom(seed).fillBytes(content)
  return content
}

/** Sizes around every block size, with twins, zeros, and a file whose second half is the first of another. */
function boundaryContents(): Uint8Array[] {
  const contents = [0, 1, 2047, 2049].map((size) => noise(size, size))
  for (let block = 512; block <= MEBIBYTE; block *= 2) {
    for (const size of [block - 1, block, block + 1]) contents.push(noise(size, size))
  }
  const long = noise(2 * MEBIBYTE + 1, 1)
  return [
    ...contents,
    long,
    long.slice(),
    long.slice(0, MEBIBYTE),
    new Uint8Array(70_000),
    new Uint8Array(4096),
  ]
}

describe('a native survey', () => {
  test('leaves out files with which there would be more bytes than can be counted', async () => {
    const root = temporaryFolder()
    const bytes = 2 ** 44 - 4096
    for (let index = 0; index < 514; index++) {
      put(root, `${index}`, '')
      truncateSync(join(root, `${index}`), bytes)
    }
    const { entries } = await surveyed(root)
    const files = [...entries.values()].filter(({ kind }) => kind === 'file')
    expect(files.map((file) => file.bytes)).toEqual(Array<number>(512).fill(bytes))
    const skips = [...entries.values()].flatMap(({ skip }) => skip ?? [])
    expect(skips.map(({ message }) => message.replace(/.*: /, ''))).toEqual(
      Array<string>(2).fill('with it the files would have more than 2^53 bytes'),
    )
  })

  test('numbers the files it opened, each otherwise, and nothing else', async () => {
    const root = temporaryFolder()
    const names = Array.from({ length: 50 }, (_, index) => `folder ${index % 3}/${index}`)
    for (const [index, name] of names.entries()) put(root, name, noise(index * 1000, index))
    symlinkSync('folder 1', join(root, 'link'))
    linkSync(join(root, 'folder 1/1'), join(root, 'folder 1/again'))
    const survey = startNativeSurvey({ roots: [root], ...DEFAULTS })
    await survey.finished
    const numbered = new Map<string, number>()
    for (let batch = survey.takeEntries(); batch; batch = survey.takeEntries()) {
      for (let index = 0; index < batch.count; index++) {
        const number = batch.fileNumbers[index] as number
        if (number !== NO_FILE_NUMBER) numbered.set(entryPath(batch, index), number)
      }
    }
    expect([...numbered.values()].toSorted((a, b) => a - b)).toEqual(names.map((_, index) => index))
    const linked = ['folder 1/1', 'folder 1/again'].filter((name) => numbered.has(name))
    expect(linked).toHaveLength(1)
    expect([...numbered.keys()].toSorted()).toEqual(
      [...names.filter((name) => name !== 'folder 1/1'), ...linked].toSorted(),
    )
  })

  test('counts the blocks of every size like a count by content, with any number of threads', async () => {
    const root = temporaryFolder()
    const contents = boundaryContents()
    contents.forEach((content, index) => put(root, `folder ${index % 5}/${index}`, content))
    const first = await surveyed(root, { blocksFrom512: true, threads: 1 })
    const counted = first.levels.map((level) => countedByContent(contents, level.blockSize))
    expect(first.levels).toMatchObject(counted)
    expect(first.levels.map((level) => level.blockSize)).toEqual(
      Array.from({ length: 12 }, (_, k) => 512 << k),
    )
    for (const threads of [2, 3, 8]) {
      const { levels, entries } = await surveyed(root, { blocksFrom512: true, threads })
      expect(levels).toEqual(first.levels)
      expect(entries).toEqual(first.entries)
    }
    const coarse = await surveyed(root)
    expect(coarse.levels).toEqual(first.levels.slice(2))
  })

  test('counts blocks of sizes that are no power of two like a count by content, also over holes', async () => {
    const root = temporaryFolder()
    const blockSizes = [513, 2352, 100_000, 3 * MEBIBYTE]
    const contents = boundaryContents()
    for (const size of blockSizes) {
      const long = noise(3 * size + 1, size)
      contents.push(long.subarray(0, size), long.subarray(0, size - 1), long, long.slice(size, 2 * size))
    }
    contents.push(new Uint8Array(2352), new Uint8Array(2352 * 3 + 1), new Uint8Array(2351))
    contents.forEach((content, index) => put(root, `folder ${index % 5}/${index}`, content))
    // Data, a hole, data: the hole begins and ends within blocks of every size.
    const sparse = new Uint8Array(9 * MEBIBYTE)
    sparse.set(noise(5000, 1))
    sparse.set(noise(5000, 2), sparse.length - 5000)
    put(root, 'sparse', sparse.subarray(0, 5000))
    const file = openSync(join(root, 'sparse'), 'r+')
    writeSync(file, sparse, sparse.length - 5000, 5000, sparse.length - 5000)
    closeSync(file)
    contents.push(sparse)
    const first = await surveyed(root, { blockSizes, threads: 1 })
    const usual = (await surveyed(root)).levels
    expect(first.levels.slice(0, usual.length)).toEqual(usual)
    const own = first.levels.slice(usual.length)
    expect(own).toMatchObject(
      blockSizes.map((size) => ({ ...countedByContent(contents, size), exact: true })),
    )
    expect((await surveyed(root, { blockSizes, threads: 4 })).levels).toEqual(first.levels)
  })

  test('estimates within its stated error once the tables are full, and alike with any threads', async () => {
    const root = temporaryFolder()
    const contents = Array.from({ length: 40 }, (_, index) => noise(500_000 + index, index))
    contents.push(...contents.slice(0, 10))
    contents.forEach((content, index) => put(root, `${index}`, content))
    const maxTableBytes = 128 << 10
    const blockSizes = [600, 2352]
    const { levels } = await surveyed(root, { maxTableBytes, blockSizes, threads: 1 })
    expect(levels.slice(-2).map(({ exact }) => exact)).toEqual([false, false])
    for (const level of levels) {
      const truth = countedByContent(contents, level.blockSize)
      expect(level).toMatchObject({ blocks: truth.blocks, bytes: truth.bytes })
      const error = Math.sqrt((1 - level.theta) * level.retained) / level.theta
      const errorBytes = Math.sqrt((1 - level.theta) * level.sumSquaredBytesRetained) / level.theta
      expect(Math.abs(level.uniqueBlocks - truth.uniqueBlocks)).toBeLessThanOrEqual(4 * error + 0.5)
      expect(Math.abs(level.uniqueBytes - truth.uniqueBytes)).toBeLessThanOrEqual(4 * errorBytes + 0.5)
      expect(level.exact).toBe(level.theta === 1)
    }
    expect((await surveyed(root, { maxTableBytes, blockSizes, threads: 4 })).levels).toEqual(levels)
  })

  test('reports the metadata of each entry as the system does', async () => {
    const root = temporaryFolder()
    put(root, 'a/file', 'content')
    linkSync(join(root, 'a/file'), join(root, 'a/second name'))
    symlinkSync('../a', join(root, 'a/loop'))
    const { entries } = await surveyed(root, { sha256: true })
    expect([...entries.keys()].toSorted()).toEqual(['', 'a', 'a/file', 'a/loop', 'a/second name'])
    for (const [path, entry] of entries) {
      const stat = lstatSync(join(root, path), { bigint: true })
      expect(entry).toMatchObject({ mtimeNs: stat.mtimeNs, inode: stat.ino, mode: Number(stat.mode) })
    }
    expect(entries.get('a/loop')).toMatchObject({ kind: 'symlink', target: '../a' })
    const names = ['a/file', 'a/second name'].map((path) => entries.get(path))
    expect(new Set(names.map((entry) => entry?.kind))).toEqual(new Set(['file', 'hardLink']))
    expect(names.find((entry) => entry?.kind === 'file')).toMatchObject({
      bytes: 7,
      sha256: createHash('sha256').update('content').digest('hex'),
    })
  })

  test('carries any name without loss', async () => {
    const root = temporaryFolder()
    const names = [
      'new\nline',
      '"quoted"',
      "it's",
      '-dash',
      '$HOME',
      '100%',
      'a=b',
      'back\\slash',
      'é',
      '日本',
      'x'.repeat(255),
    ]
    for (const name of names) put(root, name, name)
    const invalid = Buffer.from([0x66, 0xff, 0xfe, 0x80])
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), invalid]), 'bytes')
    const deep = Array.from({ length: 8 }, () => 'd'.repeat(200)).join('/')
    put(root, `${deep}/end`, 'deep')
    const { entries } = await surveyed(root)
    for (const name of [...names, `${deep}/end`, pathFromBytes(invalid)]) {
      expect(entries.get(name)?.kind, name).toBe('file')
    }
    const file = await surveyed(`${root}/${pathFromBytes(invalid)}`)
    expect([...file.entries]).toMatchObject([['', { kind: 'file', bytes: 5 }]])
  })

  test('lists what it cannot read, with object and cause in one line', async () => {
    const root = temporaryFolder()
    put(root, 'locked/inside', 'x')
    put(root, 'secret', 'x')
    put(root, 'open', 'x')
    chmodSync(join(root, 'locked'), 0o000)
    chmodSync(join(root, 'secret'), 0o000)
    execFileSync('mkfifo', [join(root, 'pipe')])
    const server = createServer().listen(join(root, 'socket'))
    onTestFinished(() => void server.close())
    const reported = await boundByPermissions(() => surveyed(root))
    chmodSync(join(root, 'locked'), 0o755)
    const skips = Object.fromEntries(
      [...reported.entries].flatMap(([path, { skip }]) => (skip ? [[path, skip]] : [])),
    )
    expect(skips).toEqual({
      locked: { code: 'permission-denied', message: `cannot read ${root}/locked: permission denied` },
      secret: { code: 'permission-denied', message: `cannot read ${root}/secret: permission denied` },
      pipe: {
        code: 'special-file',
        message: `cannot read ${root}/pipe: it is not a file but a socket, pipe or device`,
      },
      socket: {
        code: 'special-file',
        message: `cannot read ${root}/socket: it is not a file but a socket, pipe or device`,
      },
    })
    expect(reported.entries.get('open')?.kind).toBe('file')
  })

  test('distinguishes a missing root, a pseudo file system and an empty folder', async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'empty'))
    const missing = await surveyed(join(root, 'gone'))
    expect(missing.entries.get('')?.skip).toEqual({
      code: 'not-found',
      message: `cannot read ${root}/gone: no such file or folder`,
    })
    expect((await surveyed('/proc')).entries.get('')?.skip?.code).toBe('refused')
    const empty = await surveyed(join(root, 'empty/'))
    expect([...empty.entries]).toMatchObject([['', { kind: 'folder' }]])
    expect(empty.levels[0]).toMatchObject({ blocks: 0, bytes: 0, uniqueBlocks: 0, exact: true })
    expect(() => startNativeSurvey({ roots: ['relative'], ...DEFAULTS })).toThrow('not absolute')
    expect(() => startNativeSurvey({ roots: [root], ...DEFAULTS, maxTableBytes: -1 })).toThrow(TypeError)
  })

  test('reports progress that ends where the tree ends', async () => {
    const root = temporaryFolder()
    for (let index = 0; index < 300; index++) put(root, `${index % 9}/${index}`, noise(index * 11, index))
    const survey = startNativeSurvey({ roots: [root], ...DEFAULTS })
    await survey.finished
    const bytes = (299 * 300 * 11) / 2
    const files = { filesFound: 300, filesDone: 300, bytesFound: bytes, bytesDone: bytes }
    const end = { ...files, foldersFound: 10, entries: 310 }
    expect(survey.progress()).toEqual({ ...end, walkFinished: true, current: null })
  })
})

describe('a survey that takes long', () => {
  const turn = () => new Promise<void>((done) => void setImmediate(done))

  test('goes on after a pause, and can be cancelled in one', async () => {
    const survey = startNativeSurvey({ roots: [hole()], ...DEFAULTS, sha256: true })
    while (survey.progress().bytesDone === 0) await turn()
    survey.pause()
    survey.resume()
    const resumedAt = survey.progress().bytesDone
    while (survey.progress().bytesDone === resumedAt) await turn()
    survey.pause()
    survey.cancel()
    expect((await survey.finished).cancelled).toBe(true)
  })
})
