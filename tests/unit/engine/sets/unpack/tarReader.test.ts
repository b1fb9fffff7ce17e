import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TarReader } from '../../../../../src/engine/sets/unpack/tar'
import type { FoundMember } from '../../../../../src/engine/sets/unpack/unpacker'
import { AppError } from '../../../../../src/primitives/appError'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

const folder = mkdtempSync(join(tmpdir(), 'stowage-tar-'))
const long = `${'long folder/'.repeat(9)}${'n'.repeat(90)}`
const contents: Readonly<Record<string, string>> = {
  empty: '',
  short: 'short',
  block: 'b'.repeat(512),
  'block and more': 'c'.repeat(1100),
  [long]: 'long name',
}
let scratches = 0

beforeAll(() => {
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(join(folder, 'source', name, '..'), { recursive: true })
    writeFileSync(join(folder, 'source', name), content)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const tarOf = (format: string): Buffer =>
  execFileSync('tar', ['-c', `--format=${format}`, '-C', join(folder, 'source'), '.'])

/** What is found of a stream that comes in pieces of so many bytes. */
async function read(tar: Uint8Array, pieceBytes: number): Promise<Map<string, string>> {
  const scratch = join(folder, `scratch-${(scratches += 1)}`)
  mkdirSync(scratch)
  const all = new Map<string, FoundMember>()
  const reader = new TarReader(new Set(Object.keys(contents)), {
    scratch: () => scratch,
    digestsOnly: false,
    found: (member, found) => void all.set(member, found),
    onBytes: () => undefined,
  })
  try {
    for (let at = 0; at < tar.length; at += pieceBytes) await reader.push(tar.subarray(at, at + pieceBytes))
    await reader.end()
    return new Map([...all].map(([member, found]) => [member, contentOf(found)]))
  } finally {
    await reader.close()
    rmSync(scratch, { recursive: true })
  }
}

/** Of a file, whose digest has to be right. */
function contentOf({ content, sha256 }: FoundMember): string {
  if (content === null || Buffer.isBuffer(content)) throw new Error('it is in no file')
  const text = readFileSync(content.file, 'latin1')
  expect(sha256).toBe(hash('sha256', Buffer.from(text, 'latin1')))
  return text
}

describe.each(['gnu', 'posix', 'ustar'])('a tar stream in the format %s', (format) => {
  test.each([1, 511, 512, 513, 100_000])(
    'gives its files when it comes in pieces of %d bytes',
    async (pieceBytes) => {
      expect(await read(tarOf(format), pieceBytes)).toEqual(new Map(Object.entries(contents)))
    },
  )

  test('that is cut short is refused in one line', async () => {
    const tar = tarOf(format)
    const end = tar.lastIndexOf('ustar') + 20
    await expect(read(tar.subarray(0, end), 4096)).rejects.toMatchObject({
      code: 'verification-failed',
      message: expect.stringMatching(/^[^\n]+: it ends early$/),
    })
  })

  test('ends with files or a plain refusal whatever bytes are spoilt', {
    tags: format === 'posix' ? [] : ['long'],
  }, async () => {
    const tar = tarOf(format)
    const random = seededRandom(7)
    let refused = 0
    for (let round = 0; round < 300; round++) {
      const spoilt = Buffer.from(tar)
      for (let count = 0; count <= random.below(4); count++)
        spoilt[random.below(tar.length)] = random.below(256)
      const thrown = await read(spoilt, 2000).then(
        () => null,
        (error: unknown) => error,
      )
      if (thrown === null) continue
      refused += 1
      expect(thrown).toBeInstanceOf(AppError)
      expect((thrown as AppError).code).toBe('verification-failed')
    }
    expect(refused).toBeGreaterThan(0)
  })
})

test('headers with false sums that agree with themselves are refused too', async () => {
  const tar = tarOf('posix')
  const random = seededRandom(9)
  for (let round = 0; round < 300; round++) {
    const spoilt = Buffer.from(tar)
    const head = 512 * random.below(tar.length / 512)
    for (let count = 0; count < 3; count++) spoilt[head + random.below(512)] = random.below(256)
    spoilt.fill(' ', head + 148, head + 156)
    const sum = spoilt.subarray(head, head + 512).reduce((total, byte) => total + byte, 0)
    spoilt.write(`${sum.toString(8).padStart(6, '0')}\0 `, head + 148, 'latin1')
    const thrown = await read(spoilt, 100_000).then(
      () => null,
      (error: unknown) => error,
    )
    if (thrown !== null) expect(thrown).toMatchObject({ code: 'verification-failed' })
  }
})

/** A header and its content, padded, with a right checksum unless another is given. */
function entry(
  kind: string,
  name: string,
  content: string,
  size = content.length,
  checksum?: number,
): Buffer {
  const head = Buffer.alloc(512)
  head.write(name, 0)
  head.write(size.toString(8).padStart(11, '0'), 124)
  head.fill(' ', 148, 156)
  head.write(kind, 156)
  head.write('ustar', 257)
  const sum = checksum ?? head.reduce((all, byte) => all + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)])
}

describe('a header', () => {
  test.each([
    ['has a wrong checksum', entry('0', 'short', 'x', 1, 1), 'a header has a wrong checksum'],
    ['announces a name of a gigabyte', entry('L', 'name', '', 2 ** 30), 'a name is too long'],
  ])('that %s is refused', async (_, tar, because) => {
    await expect(read(tar, 512)).rejects.toMatchObject({
      code: 'verification-failed',
      message: expect.stringContaining(because),
    })
  })

  test('has the size of the extended header before it, and the next one its own', async () => {
    const tar = Buffer.concat([
      entry('x', 'facts', '9 size=5\n'),
      entry('0', 'short', 'right', 0),
      entry('0', 'block', 'own'),
      Buffer.alloc(1024),
    ])
    expect(await read(tar, 512)).toEqual(
      new Map([
        ['short', 'right'],
        ['block', 'own'],
      ]),
    )
  })
})
