import { execFileSync } from 'node:child_process'
import { closeSync, openSync, read, readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PlanEntry } from '../../src/contract/dto/plan'
import type { RawContentSource } from '../../src/engine/native/discImage'
import { type OwnLayout, ownLayout } from '../../src/engine/sets/mastering/ownLayout'
import { protectedContents, sizedProtection } from '../../src/engine/sets/mastering/protectedContents'
import { blankProtection, withRecovery } from '../../src/engine/sets/mastering/recoveryFiles'
import { writeWithRecovery } from '../../src/engine/sets/mastering/recoveryWriting'
import { volumePlaces } from '../../src/engine/sets/volume/planned/plannedVolume'
import { pathToBytes } from '../../src/primitives/pathText'
import { seededRandom } from '../../src/primitives/seededRandom'
import { temporaryFolder } from '../support/temporaryFolder'

const SECTOR = 2048
const BLOCK_BYTES = 2 * SECTOR
const FIRST_BYTES = 100_000
/** More than a pipe takes: while it waits there, nothing is read again. */
const SECOND_BYTES = 3_000_000
/** For half of each recovery block at a time. */
const HALF_MEMORY = 4 * SECTOR
const { signal } = new AbortController()
let folder: string

beforeEach(async () => {
  folder = await temporaryFolder()
  for (const [name, bytes] of [
    ['a', FIRST_BYTES],
    ['b', SECOND_BYTES],
  ] as const) {
    const content = Buffer.alloc(bytes)
    seededRandom(bytes).fillBytes(content)
    writeFileSync(join(folder, name), content)
  }
})

/** An image of two files with recovery data, none of which is written yet. */
async function laidOut() {
  const entries = [
    ['a', FIRST_BYTES],
    ['b', SECOND_BYTES],
  ].map(([name, bytes]): PlanEntry => {
    const path = String(name)
    return { kind: 'file', path, source: join(folder, path), bytes: Number(bytes), sha256: path.repeat(64) }
  })
  const plan = { id: 'p-0', mastering: { version: '0', volumeDateWallMs: 0 } }
  const volume = { index: 1, label: 'D', entries, places: volumePlaces(1, 1), payloadName: 'STOWAGE' }
  const lists = [{ name: 'INDEX.tsv', bytes: 5, source: Buffer.from('index') }]
  const blank = blankProtection(1)
  const sets = blank.sets.map((set) => ({ ...set, recoveryBlocks: 4 }))
  const before = await ownLayout(
    plan,
    volume,
    withRecovery(lists, { ...blank, sets, blockBytes: BLOCK_BYTES }),
  )
  const protection = sizedProtection({ ...blank, sets, blockBytes: BLOCK_BYTES }, protectedContents(before))
  const own = await ownLayout(plan, volume, withRecovery(lists, protection))
  const sources = own.contents
    .origins()
    .sources.map((source): RawContentSource => ('path' in source ? withoutDigest(source) : source))
  return { own, protection, sources }
}

/** Changes are to be seen by recovery data alone. */
function withoutDigest({
  entry,
  path,
  offset,
}: Extract<RawContentSource, { path: Uint8Array }>): RawContentSource {
  return { entry, path, offset, sha256: null }
}

type LaidOut = Awaited<ReturnType<typeof laidOut>>

async function writeTo(
  output: number,
  { own, protection, sources }: LaidOut,
  { memoryBytes = 1 << 24, besides = 0 } = {},
): ReturnType<typeof writeWithRecovery> {
  const scratch = { path: join(folder, 'scratch'), besides }
  return writeWithRecovery(
    own,
    { sources },
    { protection, folder: 'STOWAGE', memoryBytes, scratch },
    output,
    { signal },
  )
}

async function written(image: LaidOut, how?: Parameters<typeof writeTo>[2]): ReturnType<typeof writeTo> {
  const output = openSync(join(folder, 'image.iso'), 'w')
  try {
    return await writeTo(output, image, how)
  } finally {
    closeSync(output)
  }
}

const inHalves = { memoryBytes: HALF_MEMORY }

describe('an image with recovery data', () => {
  it('is made of sources that stay as they are, in one pass or in parts', async () => {
    expect(await written(await laidOut())).toBeNull()
    expect(await written(await laidOut(), inHalves)).toBeNull()
  })

  it('fails for a file whose start changes before the pass', async () => {
    const image = await laidOut()
    writeFileSync(join(folder, 'later'), Buffer.alloc(FIRST_BYTES, 1))
    const sources = image.sources.map((source): RawContentSource => {
      if (!('path' in source) || !Buffer.from(source.path).equals(pathToBytes(join(folder, 'a'))))
        return source
      let reads = 0
      return {
        ...source,
        get path() {
          reads += 1
          return pathToBytes(join(folder, reads === 1 ? 'a' : 'later'))
        },
      }
    })
    expect(await written({ ...image, sources })).toMatchObject({ code: 'changed' })
  })

  it('asks for the space of recovery blocks that are made in parts', async () => {
    const image = await laidOut()
    const how = { besides: Number.MAX_SAFE_INTEGER / 2 }
    await expect(written(image, { ...inHalves, ...how })).rejects.toMatchObject({ code: 'no-space' })
    expect(await written(image, how)).toBeNull()
  })

  it.skipIf(process.platform === 'win32')(
    'fails for a file that changes before its second part is read',
    async () => {
      const fifo = join(folder, 'pipe')
      execFileSync('mkfifo', [fifo])
      const output = openSync(fifo, 'r+')
      const input = openSync(fifo, 'r')
      const image = await laidOut()
      const { own } = image
      const first = own.layout.firstSectors()[own.contents.numbers.get('a') ?? 0] ?? 0
      const work = writeTo(output, image, inHalves).finally(() => closeSync(output))
      const readNext = promisify(read)
      const buffer = Buffer.alloc(1 << 16)
      let got = 0
      let isChanged = false
      try {
        for (;;) {
          const { bytesRead } = await readNext(input, buffer, 0, buffer.length, null)
          if (bytesRead === 0) break
          got += bytesRead
          if (isChanged || got < first * SECTOR + FIRST_BYTES) continue
          isChanged = true
          writeFileSync(join(folder, 'a'), Buffer.alloc(FIRST_BYTES, 7), { flag: 'r+' })
        }
      } finally {
        closeSync(input)
      }
      expect(await work).toMatchObject({ code: 'changed', entry: own.contents.numbers.get('a') })
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'fails where the scratch file lacks some of what it took',
    async () => {
      const image = await laidOut()
      // It has no name: its process reaches it by its descriptor.
      const shorten = (): void => {
        for (const fd of readdirSync('/proc/self/fd')) {
          const path = join('/proc/self/fd', fd)
          try {
            if (readlinkSync(path).startsWith(folder) && readlinkSync(path).endsWith('(deleted)'))
              truncateSync(path, SECTOR)
          } catch {
            // It was closed meanwhile.
          }
        }
      }
      class Numbers extends Map<string, number> {
        override get(path: string): number | undefined {
          if (path.endsWith('/recovery-1.par2')) shorten()
          return super.get(path)
        }
      }
      const own: OwnLayout = {
        ...image.own,
        contents: { ...image.own.contents, numbers: new Numbers(image.own.contents.numbers) },
      }
      expect(await written({ ...image, own }, inHalves)).toMatchObject({ code: 'io' })
    },
  )
})
