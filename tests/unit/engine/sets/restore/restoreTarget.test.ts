import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { SAME_NAMES } from '../../../../../src/domain/sets/naming/targetNames'
import { FactsBack } from '../../../../../src/engine/files/factsBack'
import { SHORT_BYTES } from '../../../../../src/engine/files/read'
import { type RestoredPart } from '../../../../../src/engine/sets/restore/joinParts'
import { type RestoredFile, RestoreTarget } from '../../../../../src/engine/sets/restore/restoreTarget'
import { AppError } from '../../../../../src/primitives/appError'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

// Other files of this project may have loaded the target with the real functions.
vi.hoisted(() => vi.resetModules())

/** What was flushed, and whether the file already had its name then. */
const flushes: { what: string; named: boolean }[] = []
let root = ''

vi.mock(import('../../../../../src/engine/tools/flushTree'), async (importOriginal) => {
  const { flushTree } = await importOriginal()
  return {
    flushTree: async (path, signal) => {
      await flushTree(path, signal)
      flushes.push({ what: 'content', named: existsSync(join(root, 'sub/file')) })
    },
  }
})
vi.mock(import('../../../../../src/engine/files/write'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    flushFolder: async (path) => {
      await original.flushFolder(path)
      flushes.push({ what: path, named: existsSync(join(root, 'sub/file')) })
    },
  }
})

beforeEach(() => {
  flushes.length = 0
  root = mkdtempSync(join(tmpdir(), 'stowage-target-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, '.scratch'))
})

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const FACTS = { mode: 0o644, mtimeNs: 5_000_000_000n, owner: null, attributes: [], label: 'A', holes: false }
const onBytes = (): void => {}

function newTarget(timeStepNs = 1n): { target: RestoreTarget; restored: string[]; failed: unknown[] } {
  const restored: string[] = []
  const failed: unknown[] = []
  const target = new RestoreTarget(root, join(root, '.scratch'), {
    force: false,
    names: SAME_NAMES,
    traits: { timeStepNs, largestFileBytes: Number.POSITIVE_INFINITY },
    signal: new AbortController().signal,
    outcomes: {
      restored: ({ path }) => void restored.push(path),
      failed: (_, thrown) => void failed.push(thrown),
    },
    facts: new FactsBack(),
  })
  onTestFinished(() => target.close())
  return { target, restored, failed }
}

function content(bytes: number, seed = 3): Buffer {
  const made = Buffer.alloc(bytes)
  seededRandom(seed).fillBytes(made)
  return made
}

/** A file as a volume holds it. @param listed the content that the index lists */
function held(path: string, onVolume: Buffer, listed = onVolume): RestoredFile {
  const file = join(root, '.volume')
  writeFileSync(file, onVolume)
  const from = { file, offset: 0, bytes: onVolume.length }
  return { ...FACTS, path, bytes: listed.length, sha256: sha256(listed), from }
}

test.each([
  ['short', 1000],
  ['long', SHORT_BYTES + 5000],
])('a %s file whose content differs from its digest gets no name', async (_, bytes) => {
  const { target, restored } = newTarget()
  const listed = content(bytes)
  const damaged = Buffer.from(listed)
  damaged[bytes - 1] = (damaged[bytes - 1] ?? 0) ^ 1
  await expect(target.file(held('file', damaged, listed), onBytes)).rejects.toThrow(
    'cannot restore file: its content on the volume is damaged (SHA-256 differs)',
  )
  await target.finish([])
  expect(restored).toEqual([])
  expect(existsSync(join(root, 'file'))).toBe(false)
  expect(await target.file(held('file', listed), onBytes)).toBe('written')
  await target.finish([])
  expect(restored).toEqual(['file'])
  expect(readFileSync(join(root, 'file')).equals(listed)).toBe(true)
})

test('contents are flushed before they get their names, and every folder after it has changed', async () => {
  const { target } = newTarget()
  const folder = { ...FACTS, path: 'sub', mode: 0o755 }
  await target.folder(folder)
  await target.file(held('sub/file', content(100)), onBytes)
  await target.finish([folder])
  const contents = flushes.find(({ what }) => what === 'content')
  expect(contents).toEqual({ what: 'content', named: false })
  const last = (path: string): boolean | undefined => flushes.findLast(({ what }) => what === path)?.named
  expect({ root: last(root), sub: last(join(root, 'sub')) }).toEqual({ root: true, sub: true })
})

test('a file of another time or size was not restored from a volume that is not at hand', async () => {
  const { target } = newTarget(2_000_000_000n)
  const place = join(root, 'file')
  writeFileSync(place, 'seven b')
  const seems = (mtimeNs: bigint | null, bytes = 7): Promise<boolean> =>
    target.seemsRestored({ path: 'file', bytes, mtimeNs })
  utimesSync(place, 100, 100)
  expect(await seems(100_000_000_000n)).toBe(true)
  expect(await seems(101_500_000_000n)).toBe(true)
  expect(await seems(98_500_000_000n)).toBe(true)
  expect(await seems(102_000_000_000n)).toBe(false)
  expect(await seems(98_000_000_000n)).toBe(false)
  expect(await seems(100_000_000_000n, 8)).toBe(false)
  expect(await seems(null)).toBe(false)
})

interface Split {
  readonly whole: Buffer
  readonly file: Omit<RestoredFile, 'from'>
  readonly parts: RestoredPart[]
  readonly places: string[]
}

/** A file in three parts, each on a volume of its own. */
function split(): Split {
  const whole = content(3 * 50_000, 8)
  const parts = [0, 1, 2].map((at): RestoredPart => {
    const part = whole.subarray(at * 50_000, (at + 1) * 50_000)
    const file = join(root, `.part${at + 1}`)
    writeFileSync(file, part)
    const from = { file, offset: 0, bytes: part.length }
    const [path, label] = [`big.00${at + 1}`, `V${at + 1}`]
    return {
      path,
      label,
      volume: at + 1,
      offset: at * 50_000,
      bytes: part.length,
      sha256: sha256(part),
      holes: false,
      from,
    }
  })
  const file = { ...FACTS, path: 'big', bytes: whole.length, sha256: sha256(whole) }
  return { whole, file, parts, places: parts.map(({ from }) => from?.file ?? '') }
}

function damage(place: string): void {
  const bytes = readFileSync(place)
  bytes[40_000] = (bytes[40_000] ?? 0) ^ 1
  writeFileSync(place, bytes)
}

const waiting = ['big.joining']

test('a split file with a damaged part names the part and leaves nothing behind', async () => {
  const { target } = newTarget()
  const { file, parts, places } = split()
  damage(places[1] ?? '')
  const thrown = await target.join(file, parts, waiting, onBytes).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(AppError)
  expect(thrown).toMatchObject({ code: 'verification-failed' })
  expect((thrown as AppError).message).toContain('cannot restore big.002')
  expect(readdirSync(root).filter((name) => !name.startsWith('.'))).toEqual([])
})

test('parts that were joined wait for the others, and are replaced where they are damaged', async () => {
  const { target } = newTarget()
  const { whole, file, parts, places } = split()
  const without = (index: number): RestoredPart[] =>
    parts.map((part, at) => (at === index ? { ...part, from: null } : part))
  damage(places[1] ?? '')
  const first = await target.join(file, without(0), waiting, onBytes)
  expect(first).toMatchObject({ isWhole: false, lacking: [{ volume: 1 }] })
  // A copy of the damaged volume, and the first one.
  writeFileSync(places[1] ?? '', whole.subarray(50_000, 100_000))
  expect(await target.join(file, parts, waiting, onBytes)).toBe('restored')
  expect(readFileSync(join(root, 'big')).equals(whole)).toBe(true)
  expect(existsSync(join(root, 'big.joining'))).toBe(false)
})

test('a part that ends early on its volume is not taken for the whole part', async () => {
  const { target } = newTarget()
  const { whole, file, parts, places } = split()
  truncateSync(places[2] ?? '', 49_000)
  await expect(target.join(file, parts, waiting, onBytes)).rejects.toMatchObject({
    code: 'verification-failed',
  })
  expect(existsSync(join(root, 'big'))).toBe(false)
  writeFileSync(places[2] ?? '', whole.subarray(100_000))
  expect(await target.join(file, parts, waiting, onBytes)).toBe('restored')
  expect(readFileSync(join(root, 'big')).equals(whole)).toBe(true)
})
