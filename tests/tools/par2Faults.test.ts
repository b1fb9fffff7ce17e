import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { headFrom, md5 } from '../../src/engine/protection/par2Packets'
import { type FoundSet, readPar2 } from '../../src/engine/protection/par2Reading'
import { type BlockStates, blockStates, repairLost } from '../../src/engine/protection/par2Repair'
import type { SetFile } from '../../src/engine/protection/par2Set'
import { isRepairable } from '../../src/engine/sets/recovery/volumeRecovery'
import { seededRandom } from '../../src/primitives/seededRandom'
import { flushedFiles } from '../support/flushedFiles'
import { makePar2Set } from '../support/makePar2Set'
import { temporaryFolder } from '../support/temporaryFolder'

const BLOCK_BYTES = 4096
const RECOVERY_BLOCKS = 3
const BYTES = 9000
/** The bytes that a search for packets reads at a time. */
const WINDOW_BYTES = 1 << 20
let folder: string
let index: string
let recovery: string

beforeEach(async () => {
  folder = await temporaryFolder()
  index = join(folder, 'set.par2')
  recovery = join(folder, 'set.vol0+3.par2')
  const content = Buffer.alloc(BYTES)
  seededRandom(11).fillBytes(content)
  writeFileSync(join(folder, 'a'), content)
})
afterEach(() => vi.restoreAllMocks())

const fileA = (): SetFile => ({ name: 'a', path: join(folder, 'a'), offset: 0, bytes: BYTES })
const make = (file: SetFile = fileA()): Promise<void> =>
  makePar2Set({
    files: [file],
    blockBytes: BLOCK_BYTES,
    recoveryBlocks: RECOVERY_BLOCKS,
    threads: 1,
    index,
    recovery,
  })

const wholeFile = (path: string) => ({ path, offset: 0, bytes: statSync(path).size })

async function setIn(...paths: string[]): Promise<FoundSet> {
  const { sets } = await readPar2(paths.map(wholeFile))
  expect(sets).toHaveLength(1)
  return sets[0] as FoundSet
}

const statesOf = (set: FoundSet): Promise<BlockStates> => blockStates(set, () => wholeFile(join(folder, 'a')))

function spoil(from: number): void {
  const content = readFileSync(join(folder, 'a'))
  content.fill(0xa5, from, from + 10)
  writeFileSync(join(folder, 'a'), content)
}

describe('a PAR2 set', () => {
  it('is flushed when it is made', async () => {
    const isFlushed = await flushedFiles()
    await make()
    expect(await isFlushed(index)).toBe(true)
    expect(await isFlushed(recovery)).toBe(true)
  })

  it('is not made of a file whose start changes after it was first read', async () => {
    writeFileSync(join(folder, 'later'), Buffer.alloc(BYTES, 1))
    let reads = 0
    const changing = {
      ...fileA(),
      get path() {
        reads += 1
        return join(folder, reads === 1 ? 'a' : 'later')
      },
    }
    await expect(make(changing)).rejects.toMatchObject({ code: 'changed' })
  })

  it('never gives a block that has another digest than it says', async () => {
    await make()
    const set = await setIn(index, recovery)
    const [file] = set.files as [FoundSet['files'][number]]
    const blocks = Buffer.from(file.blocks)
    blocks[3] = (blocks[3] ?? 0) ^ 1
    const other: FoundSet = { ...set, files: [{ ...file, blocks }] }
    const states = await statesOf(other)
    expect(states.lost).toHaveLength(1)
    const repair = { output: join(folder, 'blocks'), memoryBytes: 1 << 20, threads: 1 }
    await expect(repairLost(other, states, repair)).rejects.toMatchObject({ code: 'verification-failed' })
  })

  it('is none where a file in it is not the one that its identity names', async () => {
    await make()
    const packets = readFileSync(index)
    for (let at = 0; at < packets.length; ) {
      const head = headFrom(packets.subarray(at))
      if (!head) throw new Error('no packet')
      const body = packets.subarray(at, at + head.bytes)
      if (head.type === 'PAR 2.0\0FileDesc') {
        body[64 + 56] = 'b'.charCodeAt(0)
        md5(body.subarray(32)).copy(body, 16)
      }
      at += head.bytes
    }
    writeFileSync(index, packets)
    expect((await readPar2([wholeFile(index)])).sets).toEqual([])
  })

  it('finds its blocks in a file that has become longer', async () => {
    await make()
    appendFileSync(join(folder, 'a'), Buffer.alloc(500, 1))
    const { good, lost } = await statesOf(await setIn(index, recovery))
    expect([good.length, lost.length]).toEqual([3, 0])
  })

  it('is found where its first packet lies across two windows of the search', async () => {
    await make()
    const packets = readFileSync(index)
    for (const inFirst of [1, 4, 7, 8]) {
      const disc = join(folder, 'disc')
      writeFileSync(disc, Buffer.concat([Buffer.alloc(1 + WINDOW_BYTES - inFirst), packets]))
      expect((await readPar2([wholeFile(disc)])).sets, `${inFirst} bytes in the first`).toHaveLength(1)
    }
  })

  it('is repairable up to as many lost blocks as it has recovery blocks', async () => {
    await make()
    const set = await setIn(index, recovery)
    for (const from of [0, BLOCK_BYTES, 2 * BLOCK_BYTES]) spoil(from)
    const states = await statesOf(set)
    expect(states.lost).toHaveLength(RECOVERY_BLOCKS)
    expect(isRepairable({ set, states })).toBe(true)
    expect(isRepairable({ set: { ...set, recovery: set.recovery.slice(1) }, states })).toBe(false)
  })
})
