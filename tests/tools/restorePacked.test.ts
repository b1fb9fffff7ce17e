import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RestoreRequest } from '../../src/contract/dto/restore'
import type { ProgressUpdate } from '../../src/engine/jobs/jobContext'
import { makeHostileTree } from '../fixtures/hostileTree'
import { type RunOptions, temporaryFolder } from '../support/archiveRun'
import { requestFor } from '../support/buildSource'
import { builtFrom } from '../support/builtOption'
import { packedSet } from '../support/packedSet'
import { type RestoreOutcome, runRestore } from '../support/restoreRun'
import { type TreeFact, treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('restore-packed')
const source = join(folder.path, 'source')
const to = join(folder.path, 'restored')
let wanted: Record<string, TreeFact>

beforeAll(() => {
  makeHostileTree(source, { seed: 11, bigBytes: 1_500_000 })
  chmodSync(join(source, 'empty file'), 0o640)
  chmodSync(join(source, 'empty folder'), 0o700)
  const sparse = openSync(join(source, 'sparse'), 'w')
  writeSync(sparse, 'begin', 0)
  ftruncateSync(sparse, 1_200_000)
  closeSync(sparse)
  wanted = treeFacts(source)
})
beforeEach(() => rmSync(to, { recursive: true, force: true }))
afterAll(() => folder.dispose())

let sets = 0
const freshFolder = (): string => join(folder.path, `set-${(sets += 1)}`)

const restore = (
  request: Partial<RestoreRequest> & Pick<RestoreRequest, 'volumes'>,
  options: RunOptions = {},
): Promise<RestoreOutcome> => runRestore({ to, ...request }, options)

const METHODS = [
  '7z-files',
  '7z-solid-1m-content',
  'tar-zst-19-1m-path',
  'squashfs-gzip-128k',
  'iso',
  'udzo',
  'borg-1-none',
  'restic-auto',
]

describe.each(METHODS)('a set packed as %s', (method) => {
  let volumes: string[]
  beforeAll(async () => {
    volumes = [...(await packedSet(method, source, freshFolder())).volumes]
  })

  const tags = method === 'tar-zst-19-1m-path' ? [] : ['long']
  test('restores every name, content, time, permission, link and hole', { tags }, async () => {
    const done: number[] = []
    const onProgress = ({ bytesDone }: ProgressUpdate) => void done.push(bytesDone)
    const { document, error } = await restore({ volumes }, { onProgress })
    expect(error).toBeNull()
    expect(document).toMatchObject({ outcome: 'done', restored: document.files, kept: 0, volumesNeeded: [] })
    expect(done).toEqual(done.toSorted((a, b) => a - b))
    expect(done.at(-1)).toBe(document.bytes)
    expect(treeFacts(to)).toEqual(wanted)
    const sparse = statSync(join(to, 'sparse'))
    expect(sparse.blocks * 512).toBeLessThan(sparse.size / 2)
  })

  test('restores one file, and a further name alone', { tags: 'long' }, async () => {
    await restore({ volumes, files: ['deep/file', 'hard link'] })
    const there = treeFacts(to)
    expect(Object.keys(there)).toEqual(['deep', 'deep/file', 'hard link'])
    expect(there['deep/file']).toEqual(wanted['deep/file'])
    expect(there['hard link']).toEqual({ ...wanted['hard link'], first: '' })
  })

  test('restores from an image of its volume', { tags: 'long' }, async () => {
    const inside = freshFolder()
    mkdirSync(inside)
    const image = requestFor(volumes, inside, 'iso')
    await builtFrom(image)
    const { error } = await restore({ volumes: [image.path] })
    expect(error).toBeNull()
    expect(treeFacts(to)).toEqual(wanted)
  })

  test('keeps what is there, and does not unpack the container for it', { tags: 'long' }, async () => {
    await restore({ volumes })
    const spoilt = freshFolder()
    cpSync(volumes[0] ?? '', spoilt, { recursive: true })
    const container = join(spoilt, 'packed files')
    for (const name of statSync(container).isDirectory()
      ? readdirSync(container, { recursive: true, encoding: 'utf8' })
      : ['']) {
      const path = join(container, name)
      if (statSync(path).isFile()) writeFileSync(path, Buffer.alloc(statSync(path).size))
    }
    const again = await restore({ volumes: [spoilt] })
    expect(again.error).toBeNull()
    expect(again.document).toMatchObject({ restored: 0, kept: again.document.files, outcome: 'done' })
    rmSync(join(to, 'deep/file'))
    const { document, error } = await restore({ volumes: [spoilt] })
    expect(error?.code).toBe('verification-failed')
    expect(document.damaged.map(({ path }) => path)).toEqual(['deep/file'])
    expect(document.damaged[0]?.error.message).toMatch(/^cannot restore deep\/file[^\n]*: [^\n]+$/)
    expect(readdirSync(to).filter((name) => name.startsWith('.stowage'))).toEqual([])
  })
})

describe('a container that is cut over three discs', () => {
  let volumes: string[]
  beforeAll(async () => {
    volumes = [
      ...(await packedSet('tar-zst-19-1m-path', source, freshFolder(), { cutAfter: 900_000 })).volumes,
    ]
    expect(volumes).toHaveLength(3)
  })

  test('restores from all of them', async () => {
    const { error } = await restore({ volumes })
    expect(error).toBeNull()
    expect(treeFacts(to)).toEqual(wanted)
  })

  test('restores disc by disc, and says which ones it needs', { tags: 'long' }, async () => {
    const [first = '', second = '', third = ''] = volumes
    const one = await restore({ volumes: [first] })
    expect(one.error).toBeNull()
    expect(one.document.volumesNeeded.map(({ label }) => label)).toEqual(['PACKED_02', 'PACKED_03'])
    expect(one.document).toMatchObject({ outcome: 'incomplete', restored: 0 })
    expect((await restore({ volumes: [second] })).document.volumesNeeded.map(({ label }) => label)).toEqual([
      'PACKED_03',
    ])
    expect((await restore({ volumes: [third] })).document).toMatchObject({
      outcome: 'done',
      volumesNeeded: [],
    })
    expect(treeFacts(to)).toEqual(wanted)
    // With another disc alone nothing more is needed either.
    expect((await restore({ volumes: [first] })).document).toMatchObject({ outcome: 'done', restored: 0 })
  })
})

describe('an encrypted set', () => {
  const password = 'swörd fish'
  let volumes: string[]
  beforeAll(async () => {
    volumes = [...(await packedSet('7z-files', source, freshFolder(), { password })).volumes]
  })

  test('shows none of its names, and restores with its password', { tags: 'long' }, async () => {
    const index = readFileSync(join(volumes[0] ?? '', 'STOWAGE/INDEX.tsv'), 'latin1')
    expect(index).not.toContain('hard link')
    const given = Buffer.from(password)
    const { error } = await restore({ volumes, password: given })
    expect(error).toBeNull()
    expect(treeFacts(to)).toEqual(wanted)
  })

  test.each([
    ['without a password', null, /the set is encrypted, and no password is given$/],
    ['with a wrong one', Buffer.from('other'), /the password is wrong$/],
  ])('is refused %s before anything is written', { tags: 'long' }, async (_, given, message) => {
    const thrown = await restore({ volumes, password: given }).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ code: 'wrong-password', message: expect.stringMatching(message) })
    expect(existsSync(to)).toBe(false)
  })

  test('with a damaged container names the damage, not the password', { tags: 'long' }, async () => {
    const spoilt = freshFolder()
    cpSync(volumes[0] ?? '', spoilt, { recursive: true })
    const container = join(spoilt, 'packed files')
    const content = readFileSync(container)
    content.fill(7, content.length - 200)
    writeFileSync(container, content)
    const { document, error } = await restore({ volumes: [spoilt], password: Buffer.from(password) })
    expect(error?.code).toBe('verification-failed')
    expect(document.damaged.length).toBeGreaterThan(0)
    expect(document.folders).toBeGreaterThan(0)
  })
})

test('a container that is missing on its disc is missing, not needed', { tags: 'long' }, async () => {
  const [volume = ''] = (await packedSet('tar-zst-19-1m-path', source, freshFolder())).volumes
  rmSync(join(volume, 'packed files'))
  const { document, error } = await restore({ volumes: [volume] })
  expect(error?.code).toBe('verification-failed')
  expect(document.missing).toHaveLength(document.files)
  expect(document.volumesNeeded).toEqual([])
})

test('a cancelled restore of a packed set leaves no part of a file, and goes on from there', {
  tags: 'long',
}, async () => {
  const { volumes } = await packedSet('7z-files', source, freshFolder())
  const controller = new AbortController()
  const { document, error } = await restore(
    { volumes: [...volumes] },
    {
      signal: controller.signal,
      onProgress: ({ filesDone }) => {
        if (filesDone > 20) controller.abort()
      },
    },
  )
  expect(error?.code).toBe('cancelled')
  expect(document.restored).toBeLessThan(document.files)
  for (const [path, fact] of Object.entries(treeFacts(to)))
    if (fact.kind === 'file') expect(fact.content).toBe(wanted[path]?.content)
  await restore({ volumes: [...volumes] })
  expect(treeFacts(to)).toEqual(wanted)
})
