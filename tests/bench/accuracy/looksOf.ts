import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { walkRequestSchema } from '../../../src/contract/dto/survey'
import type { LookDocument } from '../../../src/domain/look/lookDocument'
import { CODECS } from '../../../src/engine/codecs/codecRegistry'
import { type BufferCodec, compressAfter } from '../../../src/engine/codecs/compressBuffer'
import type { Job } from '../../../src/engine/jobs/jobContext'
import { jobRunner } from '../../../src/engine/jobs/jobRunner'
import { KeptResults } from '../../../src/engine/jobs/keptResults'
import { lookJob } from '../../../src/engine/look/lookJob'
import { type SourceWalk, walkJob } from '../../../src/engine/survey/walk/walkJob'
import { systemClock } from '../../../src/primitives/clock'
import { filesOf, readRange } from '../../support/referenceSampler'

/** Codecs that whole sources can be compressed with in a bearable time, each file by itself. */
export const TRIED = ['zstd-1', 'zstd-3', 'zstd-9', 'gzip-6'] as const

/** What a source really is: compressed sizes by codec, and what identical files take more than once. */
export interface Truth {
  readonly bytes: number
  readonly files: number
  readonly compressed: Readonly<Record<string, number>>
  readonly identical: number
}

/** Reads and compresses everything once; the result is kept in a file. */
export async function truthOf(folder: string, file: string): Promise<Truth> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Truth
  const compressed: Record<string, number> = {}
  const seen = new Set<string>()
  let [bytes, files, identical] = [0, 0, 0]
  // A file with several names is one.
  const inodes = new Set<number>()
  const all = filesOf(folder).filter(({ path }) => {
    const { ino } = lstatSync(path)
    return inodes.size < inodes.add(ino).size
  })
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < all.length) {
      const one = all[next++] as (typeof all)[number]
      files++
      bytes += one.bytes
      if (one.bytes === 0) continue
      const content = readRange(one.path, 0, one.bytes)
      const digest = createHash('sha256').update(content).digest('base64')
      if (seen.has(digest)) identical += one.bytes
      seen.add(digest)
      for (const codec of TRIED) {
        const size = await compressAfter(CODECS[codec] as BufferCodec, new Uint8Array(), content)
        compressed[codec] = (compressed[codec] ?? 0) + size.bytes
      }
    }
  }
  await Promise.all([lane(), lane(), lane()])
  const truth = { bytes, files, compressed, identical }
  writeFileSync(file, JSON.stringify(truth))
  return truth
}

/** One look at a folder, with a draw of its own. */
export async function lookAt(folder: string, draw: number): Promise<LookDocument> {
  const walks = new KeptResults<SourceWalk>('walk')
  const looks = new KeptResults<LookDocument>('look')
  const nothing = (): void => undefined
  const listener = { progress: nothing, live: nothing, measured: nothing, swept: nothing, ended: nothing }
  const runner = jobRunner(systemClock, listener, (prefix) => `${prefix}-1`)
  const done = async (job: Job): Promise<string> => {
    const { resultId, error } = await runner.start(job).finished
    if (error || resultId === null) throw new Error(error?.message)
    return resultId
  }
  const request = walkRequestSchema.parse({ paths: [folder], look: true })
  const walkId = await done(walkJob(request, { walks, leaveOut: [], draw }))
  return looks.get(await done(lookJob({ walkId }, { walks, looks })))
}
