import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { type FoundSet, readPar2 } from '../../src/engine/protection/par2Reading'
import { type BlockStates, blockStates, repairLost } from '../../src/engine/protection/par2Repair'
import { seededRandom } from '../../src/primitives/seededRandom'
import { makePar2Set } from '../support/makePar2Set'
import { mostlyLong } from '../support/mostlyLong'
import { temporaryFolder } from '../support/temporaryFolder'

/** Exchanged with par2 in each direction; more with STOWAGE_PAR2_SETS=25. */
const SETS = Number(process.env['STOWAGE_PAR2_SETS'] ?? 4)
const BLOCK_BYTES = 4096
const RECOVERY_BLOCKS = 24
/** Around those of a block and of 16 KiB; two files have the same byte. */
const LENGTHS = [1, 3, 4095, 4096, 4097, 16_383, 16_384, 16_385, 20_000, 65_536, 1]

interface SourceFile {
  readonly name: string
  readonly content: Buffer
}

/** Files in folders, with names beyond ASCII. */
function writeFiles(folder: string, seed: number): SourceFile[] {
  const random = seededRandom(seed)
  return [...LENGTHS, 100_000 + 997 * seed].map((bytes, at) => {
    const name = at % 3 === 0 ? `file ${at}.bin` : `Ordner ä/${at % 2}/file ${at}.bin`
    const content = Buffer.alloc(bytes, 1)
    if (bytes > 1) random.fillBytes(content)
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
    return { name, content }
  })
}

/** Runs par2cmdline; its exit code is 0 for a whole set, 1 for one that can be repaired, 2 for a lost one. */
function par2(folder: string, ...args: string[]): Promise<{ code: number | null; text: string }> {
  return new Promise((end) => {
    const child = execFile('par2', args, { cwd: folder }, (_error, stdout, stderr) =>
      end({ code: child.exitCode, text: stdout + stderr }),
    )
  })
}

/** Overwrites the middle of a file, cuts one, removes one. */
function damage(folder: string, files: readonly SourceFile[]): void {
  const { name } = files.at(-1) as SourceFile
  const file = openSync(join(folder, name), 'r+')
  writeSync(file, Buffer.alloc(30_000, 7), 0, 30_000, 10_000)
  closeSync(file)
  truncateSync(join(folder, (files[8] as SourceFile).name), 9000)
  rmSync(join(folder, (files[5] as SourceFile).name))
}

/** Puts the repaired bytes into their files. */
async function repair(folder: string, set: FoundSet): Promise<'whole' | 'repaired' | 'lost'> {
  const states = await blockStates(set, ({ name }) => {
    const path = join(folder, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats ? { path, offset: 0, bytes: stats.size } : null
  })
  if (states.lost.length === 0) return 'whole'
  const output = join(await temporaryFolder(), 'blocks')
  const how = { memoryBytes: 1 << 30, threads: 2 }
  if (!(await repairLost(set, states, { output, ...how }))) return 'lost'
  await expectSameInParts(set, states, output)
  const repaired = readFileSync(output)
  let at = 0
  for (const { file, offset, bytes } of states.lost) {
    const target = openSync(join(folder, file.name), 'a+')
    closeSync(target)
    const opened = openSync(join(folder, file.name), 'r+')
    writeSync(opened, repaired, at, bytes, offset)
    closeSync(opened)
    at += bytes
  }
  expect(at).toBe(repaired.length)
  return 'repaired'
}

/** With little memory the blocks are calculated part by part. */
async function expectSameInParts(set: FoundSet, states: BlockStates, whole: string): Promise<void> {
  const output = join(await temporaryFolder(), 'parts')
  expect(await repairLost(set, states, { output, memoryBytes: 1, threads: 2 })).toBe(true)
  expect(readFileSync(output).equals(readFileSync(whole))).toBe(true)
}

function expectContents(folder: string, files: readonly SourceFile[]): void {
  for (const { name, content } of files)
    expect(readFileSync(join(folder, name)).equals(content), name).toBe(true)
}

async function ownSet(folder: string, files: readonly SourceFile[]): Promise<void> {
  await makePar2Set({
    files: files.map(({ name, content }) => ({
      name,
      path: join(folder, name),
      offset: 0,
      bytes: content.length,
    })),
    blockBytes: BLOCK_BYTES,
    recoveryBlocks: RECOVERY_BLOCKS,
    threads: 2,
    index: join(folder, 'set.par2'),
    recovery: join(folder, `set.vol0+${RECOVERY_BLOCKS}.par2`),
  })
}

const par2Files = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.par2'))
    .map((name) => join(folder, name))

const wholeFile = (path: string) => ({ path, offset: 0, bytes: statSync(path).size })

async function onlySet(paths: readonly string[]): Promise<FoundSet> {
  const { sets } = await readPar2(paths.map(wholeFile))
  expect(sets).toHaveLength(1)
  return sets[0] as FoundSet
}

mostlyLong(
  it,
  range(1),
  (seed) => seed === 1,
)('par2 takes a set of ours, and repairs damage with it (seed %i)', async (seed) => {
  const folder = await temporaryFolder()
  const files = writeFiles(folder, seed)
  await ownSet(folder, files)
  const whole = await par2(folder, 'verify', 'set.par2')
  expect(whole.code, whole.text).toBe(0)
  damage(folder, files)
  expect((await par2(folder, 'verify', 'set.par2')).code).toBe(1)
  const repaired = await par2(folder, 'repair', 'set.par2')
  expect(repaired.code, repaired.text).toBe(0)
  expectContents(folder, files)
})

function range(first: number): number[] {
  return Array.from({ length: SETS }, (_, at) => first + at)
}

/** par2 takes multiples of 4; ours are of 64. */
mostlyLong(
  it,
  range(4).map((seed): [number, number, number] => {
    const random = seededRandom(seed)
    const blockBytes = [4096, 2052, 1000, 10_004][seed - 4] ?? 4 * (100 + random.below(3000))
    return [seed, blockBytes, Math.ceil(62_000 / blockBytes) + 6]
  }),
  ([seed]) => seed === 4,
)(
  'a set of par2 repairs damage here (seed %i, blocks of %i bytes)',
  async (seed, blockBytes, recoveryBlocks) => {
    const folder = await temporaryFolder()
    const files = writeFiles(folder, seed)
    const names = files.map(({ name }) => name)
    const options = ['-R', `-s${blockBytes}`, `-c${recoveryBlocks}`, '-n3']
    const made = await par2(folder, 'create', ...options, 'set.par2', ...names)
    expect(made.code, made.text).toBe(0)
    const set = await onlySet(par2Files(folder))
    expect(set.recovery).toHaveLength(recoveryBlocks)
    expect(await repair(folder, set)).toBe('whole')
    damage(folder, files)
    expect(await repair(folder, set)).toBe('repaired')
    expectContents(folder, files)
  },
)

it('damage to the set itself costs only the packets that it hits', { tags: 'long' }, async () => {
  const folder = await temporaryFolder()
  const files = writeFiles(folder, 7)
  await ownSet(folder, files)
  const recovery = join(folder, `set.vol0+${RECOVERY_BLOCKS}.par2`)
  rmSync(join(folder, 'set.par2'))
  const { size } = statSync(recovery)
  const opened = openSync(recovery, 'r+')
  // In the description at the start, in a recovery block, and across two of them.
  for (const [at, bytes] of [
    [100, 1],
    [size / 2, 1],
    [size / 2 + 20_000, 4200],
  ] as const)
    writeSync(opened, Buffer.alloc(bytes, 0xaa), 0, bytes, Math.floor(at))
  closeSync(opened)
  damage(folder, files)
  const set = await onlySet([recovery])
  expect(set.recovery.length).toBeGreaterThanOrEqual(RECOVERY_BLOCKS - 4)
  expect(set.recovery.length).toBeLessThan(RECOVERY_BLOCKS)
  expect(await repair(folder, set)).toBe('repaired')
  expectContents(folder, files)
})

it('more damage than there are recovery blocks is lost, and nothing is made up', {
  tags: 'long',
}, async () => {
  const folder = await temporaryFolder()
  const files = writeFiles(folder, 8)
  await ownSet(folder, files)
  rmSync(join(folder, (files.at(-1) as SourceFile).name))
  const set = await onlySet(par2Files(folder))
  expect(await repair(folder, set)).toBe('lost')
})

it('a set whose description is damaged everywhere is none', async () => {
  const folder = await temporaryFolder()
  await ownSet(folder, writeFiles(folder, 9))
  const [index = ''] = par2Files(folder)
  const content = readFileSync(index)
  content[70] = (content[70] as number) ^ 1
  writeFileSync(`${index}.cut`, content)
  renameSync(`${index}.cut`, index)
  const whole = wholeFile(index)
  expect(await readPar2([whole])).toEqual({ sets: [], damaged: [whole] })
})

it('packets whose digests are right and whose contents are not describe no set', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'hostile.par2')
  const identity = Buffer.alloc(16, 7)
  const packet = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(64)
    head.write('PAR2\0PKT', 'latin1')
    head.writeBigUInt64LE(BigInt(64 + body.length), 8)
    identity.copy(head, 32)
    head.write(type, 48, 'latin1')
    createHash('md5').update(head.subarray(32)).update(body).digest().copy(head, 16)
    return Buffer.concat([head, body])
  }
  const main = (blockBytes: bigint): Buffer => {
    const body = Buffer.alloc(28, 1)
    body.writeBigUInt64LE(blockBytes)
    body.writeUInt32LE(1, 8)
    return packet('PAR 2.0\0Main\0\0\0\0', body)
  }
  // A description that ends before the length of its file, and a block size that PAR2 does not allow.
  for (const content of [
    [main(4096n), packet('PAR 2.0\0FileDesc', Buffer.alloc(20, 1))],
    [main(4097n), packet('PAR 2.0\0FileDesc', Buffer.alloc(60, 1))],
  ]) {
    writeFileSync(path, Buffer.concat(content))
    expect(await readPar2([wholeFile(path)])).toEqual({ sets: [], damaged: [] })
  }
})
