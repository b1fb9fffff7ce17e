import { describe, expect, it } from 'vitest'
import { type LookDocument, lookDocumentSchema } from '../../../../src/domain/look/lookDocument'
import { NO_RULES } from '../../../../src/domain/survey/rules/rules'
import { jobRunner } from '../../../../src/engine/jobs/jobRunner'
import { KeptResults } from '../../../../src/engine/jobs/keptResults'
import { lookJob } from '../../../../src/engine/look/lookJob'
import { type EntryBatch, NATIVE_KIND } from '../../../../src/engine/native/addon'
import { surveyFigures } from '../../../../src/engine/survey/surveyFigures'
import { type FoundFile, SourceDraw } from '../../../../src/engine/survey/walk/sourceDraw'
import type { SourceReader } from '../../../../src/engine/survey/walk/sourceReader'
import { SourceTree } from '../../../../src/engine/survey/walk/sourceTree'
import type { SourceWalk } from '../../../../src/engine/survey/walk/walkJob'
import { AppError } from '../../../../src/primitives/appError'
import type { Milliseconds } from '../../../../src/primitives/clock'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const BATCH = 4096
const MIB = 2 ** 20

/** A source that is only a rule: sizes by number, and content by place. */
interface Source {
  readonly files: number
  sizeOf(file: number): number
  extensionOf(file: number): string
}

/** Photographs and text, as 4 TB in a million files. */
const LARGE: Source = {
  files: 1_000_000,
  sizeOf: (file) => (file % 4 === 0 ? 20_000 + (file % 977) : 5_300_000 + ((file * 7919) % 60_000)),
  extensionOf: (file) => (file % 4 === 0 ? 'txt' : 'jpg'),
}

/** A million small files, most of equal sizes. */
const TINY: Source = { files: 1_000_000, sizeOf: (file) => 1000 + (file % 3000), extensionOf: () => 'txt' }

/** One file of 4 TB. */
const ONE: Source = { files: 1, sizeOf: () => 4e12, extensionOf: () => 'iso' }

/** A device: seconds of a request, and its bytes a second, one request after the other. */
interface Disk {
  readonly seekMs: number
  readonly bytesPerSecond: number
  readonly atOnce: number
}

const HARD_DISK: Disk = { seekMs: 10, bytesPerSecond: 150e6, atOnce: 2 }
const SSD: Disk = { seekMs: 0.1, bytesPerSecond: 500e6, atOnce: 8 }
const NETWORK: Disk = { seekMs: 5, bytesPerSecond: 10e6, atOnce: 4 }

function walkOf(source: Source): SourceWalk {
  const draw = new SourceDraw()
  const counted = surveyFigures(['/source'], { areRead: false })
  for (let first = 0; first < source.files; first += BATCH) {
    const batch = batchOf(source, first, Math.min(BATCH, source.files - first))
    draw.add(batch)
    counted.add(batch, 0, batch.count)
  }
  const { totals, types, sizeHistogram } = counted.figures()
  const { files, folders, bytes, symlinks, hardLinks, skipped, special = 0 } = totals
  return {
    document: {
      schema: 'stowage.walk/1',
      id: 'w-1',
      roots: ['/source'],
      rules: NO_RULES,
      totals: { files, folders, bytes, symlinks, hardLinks, skipped, special },
      excluded: null,
      presets: [],
      skipped: [],
      elapsedMs: 0,
    },
    tree: new SourceTree(['/source']),
    look: {
      figures: { totals, types, sizeHistogram },
      strata: counted.strata('all'),
      types: counted.types('all'),
      drawn: draw.finish(),
      deviceKind: 'hdd',
    },
  }
}

function batchOf({ sizeOf, extensionOf }: Source, first: number, count: number): EntryBatch {
  const names = Array.from({ length: count }, (_, index) => {
    const file = first + index
    return Buffer.from(`${Math.floor(file / 1000)}/DSC_${file}.${extensionOf(file)}`)
  })
  let end = 0
  const columns = {
    count,
    rootIndex: new Uint32Array(count),
    pathBytes: Buffer.concat(names),
    pathEnds: Uint32Array.from(names, (name) => (end += name.length)),
    kinds: new Uint8Array(count).fill(NATIVE_KIND.file),
    trustedAs: new Uint32Array(count).fill(0xffff_ffff),
    bytes: Float64Array.from(names, (_, index) => sizeOf(first + index)),
    allocatedBytes: Float64Array.from(names, (_, index) => sizeOf(first + index)),
    inode: BigUint64Array.from(names, (_, index) => BigInt(first + index + 1)),
    skips: new Map(),
    linkTargets: new Map(),
  }
  return columns as unknown as EntryBatch
}

interface LookRun {
  readonly document: LookDocument
  readonly outcome: string
  /** How long the disk was busy, on a clock that only it moves. */
  readonly diskMs: number
  readonly readBytes: number
}

/** Looks at a source on a disk whose requests take their time on a clock of its own. */
async function lookOn(
  source: Source,
  disk: Disk,
  {
    cancelAfter = Number.POSITIVE_INFINITY,
    vanished = (_file: Pick<FoundFile, 'bytes'>): boolean => false,
  } = {},
): Promise<LookRun> {
  const walks = new KeptResults<SourceWalk>('walk')
  const looks = new KeptResults<LookDocument>('look')
  walks.keep('w-1', walkOf(source))
  let diskMs = 0
  let readBytes = 0
  let requests = 0
  let cancel = (): void => undefined
  const now = (): Milliseconds => (performance.now() + diskMs) as Milliseconds
  const reader: SourceReader = {
    atOnce: disk.atOnce,
    async read(file, parts) {
      if (++requests === cancelAfter) cancel()
      if (vanished(file)) return null
      return parts.map(({ offset, length }) => {
        diskMs += disk.seekMs + (length / disk.bytesPerSecond) * 1000
        readBytes += length
        return contentOf(file, offset, length)
      })
    },
  }
  const nothing = (): void => undefined
  const listener = { progress: nothing, live: nothing, measured: nothing, swept: nothing, ended: nothing }
  const runner = jobRunner({ wallMs: now, monotonicMs: now }, listener, () => 'j')
  const { jobId, finished } = runner.start(lookJob({ walkId: 'w-1' }, { walks, looks, reader }))
  cancel = () => runner.cancel(jobId)
  const end = await finished
  const document = lookDocumentSchema.parse(looks.get('w-1'))
  return { document, outcome: end.outcome, diskMs, readBytes }
}

/** Text of few words, or noise, by the file's type. */
function contentOf({ path }: Pick<FoundFile, 'path'>, offset: number, length: number): Uint8Array {
  const random = seededRandom(offset + path.length)
  const bytes = Buffer.alloc(length)
  if (!Buffer.from(path).toString().endsWith('.txt')) random.fillBytes(bytes)
  else for (let at = 0; at < length; ) at += bytes.write(`word${random.below(500)} `, at)
  return bytes
}

describe.each([
  ['4 TB in a million files on a hard disk', LARGE, HARD_DISK],
  ['4 TB in a million files on an SSD', LARGE, SSD],
  ['4 TB in a million files on a network of 10 MB/s', LARGE, NETWORK],
  ['a million tiny files on a hard disk', TINY, HARD_DISK],
  ['one file of 4 TB on a hard disk', ONE, HARD_DISK],
] as const)('a look at %s', { tags: ['long'] }, (_, source, disk) => {
  it('ends in time, has read little, and knows the sizes exactly', async () => {
    const { document, outcome, diskMs, readBytes } = await lookOn(source, disk)
    expect(outcome).toBe('done')
    // Units for 20 s and files to compare for 10 s, with a batch each, and what slow codecs read around units.
    expect(diskMs).toBeLessThan(50_000)
    expect(readBytes).toBeLessThan(1024 * MIB)
    expect(document.totals.files).toBe(source.files)
    const bytes = Array.from({ length: source.files }, (__, file) => source.sizeOf(file)).reduce(
      (a, b) => a + b,
    )
    expect(document.totals.bytes).toBe(bytes)
    const row = document.compression.find(
      ({ codec, recordSize }) => codec === 'zstd-3' && recordSize === null,
    )
    expect(row?.low).toBeLessThanOrEqual(row?.predictedBytes ?? 0)
    expect(row?.high).toBeGreaterThanOrEqual(row?.predictedBytes ?? 0)
    // Records longer than a unit, by what is read around units.
    expect(document.compression.some(({ recordSize }) => recordSize === MIB)).toBe(true)
    // A million seeks are too many; 96 MiB are read even at 10 MB/s.
    expect(document.sample.end).toBe(source === TINY ? 'time' : 'bytes')
  })
})

it('a look that is cancelled keeps what is known', async () => {
  const { document, outcome } = await lookOn({ ...LARGE, files: 20_000 }, SSD, { cancelAfter: 200 })
  expect(outcome).toBe('cancelled')
  expect(document.sample).toMatchObject({ end: 'cancelled', unreadable: 0 })
  expect(document.totals.files).toBe(20_000)
})

it('files that vanish between walk and sample are counted and nothing else', { tags: ['long'] }, async () => {
  const small = { ...LARGE, files: 300 }
  const all = await lookOn(small, SSD)
  const some = await lookOn(small, SSD, { vanished: ({ bytes }) => bytes % 3 === 0 })
  expect(all.document.sample.unreadable).toBe(0)
  expect(some.document.sample.unreadable).toBeGreaterThan(50)
  expect(some.document.compression.length).toBe(all.document.compression.length)
})

it('a walk that is not there any more is refused', () => {
  const tools = { walks: new KeptResults<SourceWalk>('walk'), looks: new KeptResults<LookDocument>('look') }
  expect(() => lookJob({ walkId: 'w-2' }, tools)).toThrow(AppError)
})
