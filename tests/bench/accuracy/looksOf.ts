import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { walkRequestSchema } from '../../../src/contract/dto/survey'
import type { LookDocument } from '../../../src/domain/look/lookDocument'
import type { Job } from '../../../src/engine/jobs/jobContext'
import { jobRunner } from '../../../src/engine/jobs/jobRunner'
import { KeptResults } from '../../../src/engine/jobs/keptResults'
import { lookJob } from '../../../src/engine/look/lookJob'
import { type SourceWalk, walkJob } from '../../../src/engine/survey/walk/walkJob'
import { systemClock } from '../../../src/primitives/clock'
import { processorClock } from '../../support/processorClock'
import { filesOf, readRange } from '../../support/referenceSampler'
import { compressedAtOnce } from './realRuns'

export { largeFolder } from './largeSets'
export { choicesOf, type LookChoice } from './lookChoices'

/** Codecs whose programs pack whole sources in a bearable time, each file by itself. */
const TRIED = ['zstd-1', 'zstd-3', 'zstd-9', 'gzip-6'] as const

/** Records of zstd -3, as SquashFS has them. */
const RECORD_SIZES = [131_072, 1_048_576]
const LONGEST_RECORD = Math.max(...RECORD_SIZES)

/** Codecs whose programs pack each file by itself, and what Node makes of each record. */
export const FIGURES = [...TRIED, ...RECORD_SIZES.map((size) => recordKey(size))]

function recordKey(recordSize: number): string {
  return `zstd-3@${recordSize}`
}

/** The forecast of one of `FIGURES`. */
export function forecastOf({ compression }: LookDocument, figure: string) {
  return compression.find(
    ({ codec, recordSize }) => figure === (recordSize === null ? codec : `${codec}@${recordSize}`),
  )
}

/** What a source really is: what the programs make of it, and what identical files take more than once. */
export interface Truth {
  readonly bytes: number
  readonly files: number
  readonly compressed: Readonly<Record<string, number>>
  readonly identical: number
}

/** Reads and compresses everything once; the result is kept in a file as long as the folder has as many files and bytes. */
export async function truthOf(folder: string, file: string): Promise<Truth> {
  // A file with several names is one.
  const inodes = new Set<string>()
  const all = filesOf(folder).filter(({ path }) => {
    const { dev, ino } = lstatSync(path)
    return inodes.size < inodes.add(`${dev} ${ino}`).size
  })
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0)
  const key = `${all.length} ${bytes}`
  if (existsSync(file)) {
    const known = JSON.parse(readFileSync(file, 'utf8')) as { key?: string; truth: Truth }
    if (known.key === key) return known.truth
  }
  const scratch = mkdtempSync(join(tmpdir(), 'stowage-truth-'))
  const list = join(scratch, 'names')
  writeFileSync(list, all.map(({ path }) => `${relative(folder, path)}\0`).join(''))
  const compressed: Record<string, number> = {}
  const left = [...TRIED].toReversed()
  const lane = async (): Promise<void> => {
    for (let codec = left.shift(); codec !== undefined; codec = left.shift())
      compressed[codec] = await compressedAtOnce(codec, list, folder)
  }
  try {
    await Promise.all([lane(), lane(), addRecords(all, compressed)])
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  const truth = { bytes, files: all.length, compressed, identical: await identicalBytes(all) }
  writeFileSync(file, JSON.stringify({ key, truth }))
  return truth
}

async function addRecords(
  files: readonly { path: string; bytes: number }[],
  compressed: Record<string, number>,
): Promise<void> {
  const params = { [constants.ZSTD_c_compressionLevel]: 3 }
  for (const { path, bytes } of files) {
    for (let at = 0; at < bytes; at += LONGEST_RECORD) {
      const part = readRange(path, at, Math.min(LONGEST_RECORD, bytes - at))
      for (const size of RECORD_SIZES) {
        for (let from = 0; from < part.length; from += size) {
          const record = part.subarray(from, from + size)
          const packed = await promisify(zstdCompress)(record, { params, pledgedSrcSize: record.length })
          const key = recordKey(size)
          compressed[key] = (compressed[key] ?? 0) + Math.min(record.length, packed.length)
        }
      }
    }
  }
}

/** The bytes of files that are equal to an earlier one; only those that share their size are read. */
async function identicalBytes(files: readonly { path: string; bytes: number }[]): Promise<number> {
  const alike = new Map<number, number>()
  for (const { bytes } of files) alike.set(bytes, (alike.get(bytes) ?? 0) + 1)
  const seen = new Set<string>()
  let identical = 0
  for (const { path, bytes } of files) {
    if (bytes === 0 || alike.get(bytes) === 1) continue
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    const digest = `${bytes} ${hash.digest('base64')}`
    if (seen.has(digest)) identical += bytes
    seen.add(digest)
  }
  return identical
}

/**
 * One look at a folder, with a draw of its own.
 * @param isPatient only CPU time ends it, as on a machine that nothing else uses
 */
export async function lookAt(folder: string, draw: number, isPatient: boolean): Promise<LookDocument> {
  const walks = new KeptResults<SourceWalk>('walk')
  const looks = new KeptResults<LookDocument>('look')
  const nothing = (): void => undefined
  const listener = { progress: nothing, live: nothing, measured: nothing, swept: nothing, ended: nothing }
  const runner = jobRunner(isPatient ? processorClock : systemClock, listener, (prefix) => `${prefix}-1`)
  const done = async (job: Job): Promise<string> => {
    const { resultId, error } = await runner.start(job).finished
    if (error || resultId === null) throw new Error(error?.message)
    return resultId
  }
  const request = walkRequestSchema.parse({ paths: [folder], look: true })
  const walkId = await done(walkJob(request, { walks, leaveOut: [], draw }))
  return looks.get(await done(lookJob({ walkId }, { walks, looks, seed: draw + 1 })))
}
