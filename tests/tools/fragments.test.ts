import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forecastFragments } from '../../src/engine/forecast/solid/fragmentPhase'
import { type SolidFile, solidFiles } from '../../src/engine/forecast/solid/solidFiles'
import { type ReadStretches, stretchReader } from '../../src/engine/forecast/solid/solidSamples'
import { startNativeSurvey } from '../../src/engine/native/addon'
import { requireTool } from '../../src/engine/tools/externalTool'
import { mksquashfs } from '../../src/engine/tools/squashfsTools'
import { seededRandom } from '../../src/primitives/seededRandom'

const MIB = 1024 * 1024

let folder: string
let source: string
let files: readonly SolidFile[]

/** 900 short texts that share words, a fifth of them twice, and two files that no block is shared with. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-fragments-'))
  source = join(folder, 'source')
  const random = seededRandom(61)
  const vocabulary = Array.from({ length: 2000 }, () => random.below(2 ** 40).toString(36))
  const words = (count: number): string =>
    Array.from({ length: count }, () => vocabulary[Math.floor(2000 * random.unit() ** 2)]).join(' ')
  for (let index = 0; index < 750; index++) {
    const place = join(source, String(index % 7))
    mkdirSync(place, { recursive: true })
    const text = words(50 + random.below(2000))
    writeFileSync(join(place, `${index}.txt`), text)
    if (index % 5 === 0) writeFileSync(join(place, `${index} again.txt`), text)
  }
  writeFileSync(join(source, 'long.txt'), words(400_000))
  writeFileSync(join(source, 'longer.txt'), words(700_000))
  const pass = startNativeSurvey({ roots: [source], blocksFrom512: false, sha256: false, maxTableBytes: MIB })
  await pass.finished
  const collected = solidFiles([source])
  for (let batch = pass.takeEntries(); batch; batch = pass.takeEntries()) collected.add(batch, 0)
  files = collected.files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Reads them. */
function read(): ReadStretches {
  return stretchReader(new Map(files.map((file) => [file.number, file])), [source], () => undefined)
}

/** How much smaller mksquashfs makes its image when short files may share blocks. */
async function realSaving(codec: string, blockSize: number): Promise<number> {
  const tool = await requireTool(mksquashfs)
  const bytes = (name: string, ...more: string[]): number => {
    const image = join(folder, name)
    const args = [
      '-comp',
      ...codec.split(' '),
      '-b',
      String(blockSize),
      '-noappend',
      '-quiet',
      '-no-progress',
    ]
    execFileSync(tool.path, [source, image, ...args, ...more])
    const { size } = statSync(image)
    rmSync(image)
    return size
  }
  return bytes('alone', '-no-fragments') - bytes('together')
}

describe('forecasting what short files save by sharing blocks', () => {
  it('is what mksquashfs saves by it, from all of them and from a part', { tags: 'long' }, async () => {
    const all = await forecastFragments(files, read(), { level: 'thorough', goOn: () => undefined })
    const part = await forecastFragments(files, read(), { level: 'fast', goOn: () => undefined, seed: 3 })
    // Its libraries are not those of the samples: of words drawn at random its zlib makes 7 % more when they are by themselves.
    for (const [codec, args, blockSize, limit] of [
      ['gzip-6', 'gzip -Xcompression-level 6', 128 * 1024, 0.12],
      ['zstd-3', 'zstd -Xcompression-level 3', 128 * 1024, 0.1],
      ['lz4', 'lz4', 128 * 1024, 0.1],
      ['zstd-3', 'zstd -Xcompression-level 3', MIB, 0.1],
    ] as const) {
      const actual = await realSaving(args, blockSize)
      expect(actual).toBeGreaterThan(100_000)
      const found = (rows: typeof all) =>
        rows.find((row) => row.codec === codec && row.blockSize === blockSize) as (typeof all)[number]
      // Its lists are smaller or larger too, and it takes files in an order of its own.
      expect(Math.abs(found(all).predictedBytes / actual - 1)).toBeLessThan(limit)
      expect(found(part).low).toBeLessThanOrEqual(found(all).predictedBytes)
      expect(found(part).high).toBeGreaterThanOrEqual(found(all).predictedBytes)
    }
  })

  it('ends when it is cancelled', async () => {
    let asked = 0
    const goOn = (): void => {
      if (++asked > 20) throw new Error('enough')
    }
    await expect(forecastFragments(files, read(), { level: 'normal', goOn })).rejects.toThrow('enough')
  })
})
