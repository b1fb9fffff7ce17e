import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHUNKERS } from '../../../../src/domain/survey/chunkers'
import {
  createKnownFiles,
  type EntryBatch,
  entryPath,
  NATIVE_KIND,
  type NativeKnownFiles,
  NO_FILE_NUMBER,
  startNativeSurvey,
} from '../../../../src/engine/native/addon'
import { type BlockLevel } from '../../../../src/engine/native/levels'
import { mergeSketches } from '../../../../src/engine/native/sketches'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { put, temporaryFolder } from '../../../support/surveyedFolder'

function noise(bytes: number, seed: number): Uint8Array {
  const content = new Uint8Array(bytes)
  seededRandom(seed).fillBytes(content)
  return content
}

interface Pass {
  readonly sketch: string
  readonly batches: EntryBatch[]
  readonly numbers: Map<string, number>
  readonly trusted: Map<string, number>
  readonly levels: object[]
}

/** A union does not tell which blocks are alone in a file. */
function asOfUnion(level: BlockLevel): BlockLevel {
  return { ...level, alone: { retained: 0, sumBytesRetained: 0, sumSquaredBytesRetained: 0 } }
}

async function pass(roots: readonly string[], sketch: string, known?: NativeKnownFiles): Promise<Pass> {
  const survey = startNativeSurvey({
    roots,
    blocksFrom512: false,
    sha256: false,
    chunkers: CHUNKERS,
    maxTableBytes: 160 << 20,
    known,
  })
  await survey.finished
  const batches: EntryBatch[] = []
  const numbers = new Map<string, number>()
  const trusted = new Map<string, number>()
  for (let batch = survey.takeEntries(); batch; batch = survey.takeEntries()) {
    batches.push(batch)
    for (let index = 0; index < batch.count; index++) {
      if (batch.kinds[index] !== NATIVE_KIND.file) continue
      const path = join(roots[batch.rootIndex[index] as number] as string, entryPath(batch, index))
      numbers.set(path, batch.fileNumbers[index] as number)
      if (batch.trustedAs[index] !== NO_FILE_NUMBER) trusted.set(path, batch.trustedAs[index] as number)
    }
  }
  await survey.saveSketch(sketch)
  return {
    sketch,
    batches,
    numbers,
    trusted,
    levels: [survey.blockLevels().map(asOfUnion), survey.chunkLevels()],
  }
}

function knownFrom(batches: readonly EntryBatch[]): NativeKnownFiles {
  const known = createKnownFiles(false)
  for (const batch of batches) {
    const files = Array.from(batch.kinds.keys()).filter((index) => batch.kinds[index] === NATIVE_KIND.file)
    known.add({
      device: BigUint64Array.from(files, (index) => batch.device[index] as bigint),
      inode: BigUint64Array.from(files, (index) => batch.inode[index] as bigint),
      bytes: Float64Array.from(files, (index) => batch.bytes[index] as number),
      mtimeNs: BigInt64Array.from(files, (index) => batch.mtimeNs[index] as bigint),
      ctimeNs: BigInt64Array.from(files, (index) => batch.ctimeNs[index] as bigint),
      rootIndex: Uint32Array.from(files, (index) => batch.rootIndex[index] as number),
      paths: files.map((index) => new TextEncoder().encode(entryPath(batch, index))),
      fileNumbers: Uint32Array.from(files, (index) => batch.fileNumbers[index] as number),
    })
  }
  return known
}

/** Two folders that share some of their content, with zeros in both. */
function twoFolders(): { a: string; b: string; out: string } {
  const above = temporaryFolder()
  for (let index = 0; index < 40; index++) {
    put(above, `a/${index}`, noise(3000 * index + 5, index))
    put(above, `b/${index}`, noise(3000 * index + 5, index % 3 === 0 ? index : 1000 + index))
  }
  put(above, 'a/zeros', new Uint8Array(100_000))
  put(above, 'b/zeros', new Uint8Array(70_001))
  put(above, 'b/large', noise(3_000_000, 77))
  mkdirSync(join(above, 'out'))
  return { a: join(above, 'a'), b: join(above, 'b'), out: join(above, 'out') }
}

describe('sketches of native surveys', () => {
  test('merged give the figures of one survey of both folders', async () => {
    const { a, b, out } = twoFolders()
    const both = await pass([a, b], join(out, 'both'))
    const inputs = [await pass([a], join(out, 'a')), await pass([b], join(out, 'b'))]
    const union = await mergeSketches(inputs.map(({ sketch }) => ({ path: sketch, fileMap: null })))
    expect([union.blockLevels, union.chunkLevels]).toEqual(both.levels)
    expect(union.files).toMatchObject({ files: both.numbers.size, exact: true })
    expect([...union.offsets]).toEqual([0, inputs[0]?.numbers.size])
  })

  test('lose files that are mapped to none, and can be saved and united again', async () => {
    const { a, b, out } = twoFolders()
    const both = await pass([a, b], join(out, 'both'))
    const onlyB = await pass([b], join(out, 'b'))
    const fileMap = new Uint32Array(both.numbers.size).fill(NO_FILE_NUMBER)
    for (const [path, number] of both.numbers)
      if (path.startsWith(`${b}/`)) fileMap[number] = onlyB.numbers.get(path) as number
    const kept = await mergeSketches([{ path: both.sketch, fileMap }], { out: join(out, 'kept') })
    expect([kept.blockLevels, kept.chunkLevels]).toEqual(onlyB.levels)
    expect(readFileSync(join(out, 'kept'))).toEqual(readFileSync(onlyB.sketch))
  })

  test('are refused with the file and the cause', async () => {
    const { a, out } = twoFolders()
    const { sketch } = await pass([a], join(out, 'a'))
    const whole = readFileSync(sketch)
    const merged = async (content: Uint8Array): Promise<unknown> => {
      writeFileSync(join(out, 'bad'), content)
      return mergeSketches([{ path: join(out, 'bad'), fileMap: null }])
    }
    await expect(merged(whole)).resolves.toBeDefined()
    const refused = (cause: string) => ({
      code: 'bad-input',
      message: expect.stringMatching(new RegExp(`^cannot read the sketch .*bad: ${cause}`)) as unknown,
    })
    await expect(merged(whole.subarray(0, whole.length - 1))).rejects.toMatchObject(refused('it is damaged'))
    await expect(merged(Buffer.from('something else'))).rejects.toMatchObject(
      refused('it is not a Stowage sketch'),
    )
    const flipped = Uint8Array.from(whole)
    flipped[whole.length >> 1] = (flipped[whole.length >> 1] as number) ^ 4
    await expect(merged(flipped)).rejects.toMatchObject(refused('it is damaged'))
    await expect(mergeSketches([{ path: join(out, 'none'), fileMap: null }])).rejects.toMatchObject({
      message: expect.stringMatching(/none: /) as unknown,
    })
    const twice = { path: sketch, fileMap: Uint32Array.of(3, 3) }
    await expect(mergeSketches([twice])).rejects.toThrow('two files would have the number 3')
  })

  test('cannot be saved where there is no folder, nor without sketch entries', async () => {
    const { a, out } = twoFolders()
    const options = { roots: [a], blocksFrom512: false, sha256: false, maxTableBytes: 1 << 20 }
    const survey = startNativeSurvey({ ...options, marks: false })
    await survey.finished
    await expect(survey.saveSketch(join(out, 'sketch'))).rejects.toMatchObject({ code: 'io' })
    const other = startNativeSurvey(options)
    await other.finished
    await expect(other.saveSketch(join(out, 'none/sketch'))).rejects.toThrow(
      /cannot write the sketch .*none\/sketch: /,
    )
  })
})

describe('a native survey with known files', () => {
  test('reads only changed files, and merged with the earlier survey equals a full survey', async () => {
    const { b, out } = twoFolders()
    const first = await pass([b], join(out, 'first'))
    writeFileSync(join(b, '7'), noise(21_005, 7000))
    put(b, 'new', noise(50_000, 8000))
    utimesSync(join(b, '8'), 1, 1)
    renameSync(join(b, '9'), join(b, '9 moved'))
    const known = knownFrom(first.batches)
    const second = await pass([b], join(out, 'second'), known)
    expect(second.trusted.size).toBe(first.numbers.size - 3)
    for (const name of ['7', 'new', '8', '9 moved']) expect(second.trusted.has(join(b, name))).toBe(false)
    expect(new Set(second.numbers.values()).size).toBe(second.numbers.size)

    const older = new Uint32Array(first.numbers.size).fill(NO_FILE_NUMBER)
    const newer = new Uint32Array(second.numbers.size).fill(NO_FILE_NUMBER)
    for (const [path, number] of second.numbers) {
      const trustedAs = second.trusted.get(path)
      if (trustedAs === undefined) newer[number] = number
      else older[trustedAs] = number
    }
    const union = await mergeSketches(
      [
        { path: first.sketch, fileMap: older },
        { path: second.sketch, fileMap: newer },
      ],
      { out: join(out, 'union') },
    )
    const full = await pass([b], join(out, 'full'))
    expect([union.blockLevels, union.chunkLevels]).toEqual(full.levels)
    expect(union.files.files).toBe(full.numbers.size)
  })

  test('reads files that only made-up inode numbers tell apart, unless their paths are the same', async () => {
    const folder = temporaryFolder()
    put(folder, 'source/a', noise(1000, 1))
    const source = join(folder, 'source')
    const isFile = (kind: number): boolean => kind === NATIVE_KIND.file
    const seen = async (known?: NativeKnownFiles): Promise<EntryBatch> => {
      const options = { roots: [source], blocksFrom512: false, sha256: false, marks: false, known }
      const survey = startNativeSurvey({ ...options, maxTableBytes: 1 << 20 })
      await survey.finished
      // The folder and the file may come in two batches.
      for (let batch = survey.takeEntries(); batch; batch = survey.takeEntries())
        if (batch.kinds.some(isFile)) return batch
      throw new Error('the file was not seen')
    }
    const batch = await seen()
    const index = batch.kinds.findIndex(isFile)
    const inode = batch.inode[index] as bigint
    const trustedWhereItWas = async (
      paths: readonly string[],
      other: bigint,
      isPart = false,
    ): Promise<boolean> => {
      const known = createKnownFiles(isPart)
      for (const [fileNumber, path] of paths.entries()) {
        known.add({
          device: batch.device.slice(index, index + 1),
          inode: BigUint64Array.of(fileNumber === 0 ? inode : other),
          bytes: batch.bytes.slice(index, index + 1),
          mtimeNs: batch.mtimeNs.slice(index, index + 1),
          ctimeNs: batch.ctimeNs.slice(index, index + 1),
          rootIndex: Uint32Array.of(0),
          paths: [new TextEncoder().encode(path)],
          fileNumbers: Uint32Array.of(fileNumber),
        })
      }
      const again = await seen(known)
      return again.trustedAs[again.kinds.findIndex(isFile)] !== NO_FILE_NUMBER
    }
    for (const other of [inode + 1n, inode + 2n]) {
      expect(await trustedWhereItWas(['b', 'a'], other)).toBe(false)
      expect(await trustedWhereItWas(['a', 'b'], other)).toBe(true)
    }
    // The earlier survey saw it at two places, or once but not all that there was.
    expect(await trustedWhereItWas(['b', 'a'], inode)).toBe(true)
    expect(await trustedWhereItWas(['b', 'c'], inode)).toBe(false)
    expect(await trustedWhereItWas(['b'], inode)).toBe(true)
    expect(await trustedWhereItWas(['b'], inode, true)).toBe(false)
  })

  test('takes nothing else for known files', () => {
    const options = { roots: [], blocksFrom512: false, sha256: false, maxTableBytes: 1 << 20 }
    const known = { add: () => undefined }
    expect(() => startNativeSurvey({ ...options, known })).toThrow('createKnownFiles')
    const columns = {
      device: new BigUint64Array(1),
      inode: new BigUint64Array(1),
      bytes: new Float64Array(2),
    }
    const times = { mtimeNs: new BigInt64Array(1), ctimeNs: new BigInt64Array(1) }
    const places = { rootIndex: new Uint32Array(1), paths: [new Uint8Array(1)] }
    expect(() =>
      createKnownFiles(false).add({ ...columns, ...times, ...places, fileNumbers: new Uint32Array(1) }),
    ).toThrow('differ in length')
  })
})
