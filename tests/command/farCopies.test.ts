import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { alone } from '../../src/engine/forecast/exclusiveCpu'
import { type FarTrials, tryFarCopies } from '../../src/engine/forecast/solid/farCopies'
import { nearCopies } from '../../src/engine/forecast/solid/nearCopies'
import type { SolidFile } from '../../src/engine/forecast/solid/solidFiles'
import { stretchReader } from '../../src/engine/forecast/solid/solidSamples'
import type { Question } from '../../src/engine/native/addon'
import { seededRandom } from '../../src/primitives/seededRandom'
import { readWithAnchors } from '../support/solidForecast'

const MIB = 1024 * 1024
const EDITS = 300
const EDIT_BYTES = 100
const RELEASES = 4

let source: string
beforeEach(() => {
  source = join(mkdtempSync(join(tmpdir(), 'stowage-far-')), 'source')
  mkdirSync(source)
})
afterEach(() => rmSync(join(source, '..'), { recursive: true, force: true }))

/** Releases of one file without pattern, each with some places of the one before overwritten. */
function makeReleases(bytes: number): void {
  const random = seededRandom(77)
  const data = Buffer.alloc(bytes)
  random.fillBytes(data)
  for (let release = 0; release < RELEASES; release++) {
    writeFileSync(join(source, `${release}.bin`), data)
    for (let edit = 0; edit < EDITS; edit++) {
      const at = random.below(bytes - EDIT_BYTES)
      random.fillBytes(data.subarray(at, at + EDIT_BYTES))
    }
  }
}

/** Trials of the source as the forecast of solid archives makes them. */
async function trialsOf(windows: readonly number[]): Promise<FarTrials> {
  const { anchors: taken, files: found } = await readWithAnchors(source)
  const anchors = await taken
  const files = found.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const order = Uint32Array.from(files, ({ number }) => number)
  const byNumber = new Map(files.map((file): [number, SolidFile] => [file.number, file]))
  const sampling = {
    anchors,
    files: byNumber,
    ask: async <T>(question: Question<T>) => (await question.finished) as T,
    goOn: () => undefined,
    pause: async () => undefined,
    read: stretchReader(byNumber, [source], () => undefined),
    alone,
    options: { level: 'fast' as const, signal: new AbortController().signal },
    bytes: 0,
    firstSeenBytes: 0,
  }
  try {
    const copies = await nearCopies(files, order, sampling)
    return await tryFarCopies(copies, windows, order, 1, sampling)
  } finally {
    anchors.close()
  }
}

describe('trials of large near copies', () => {
  it('price what changed where the window holds the file before', async () => {
    makeReleases(9 * MIB)
    const trials = await trialsOf([4 * MIB, 64 * MIB])
    expect([...trials.keys()]).toEqual([64 * MIB])
    for (const { codecBytes, newRate } of trials.get(64 * MIB) ?? []) {
      expect(newRate).toBeCloseTo(1, 1)
      expect(codecBytes).toBeGreaterThan(EDITS * EDIT_BYTES * 0.98)
      expect(codecBytes).toBeLessThan(EDITS * EDIT_BYTES * 1.25)
    }
  })

  it('are not made of files that zstd finds without its table of long matches', async () => {
    makeReleases(2 * MIB)
    expect([...(await trialsOf([16 * MIB]))]).toEqual([])
  })
})
