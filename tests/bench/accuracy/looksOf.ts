import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { LookDocument } from '../../../src/domain/look/lookDocument'
import { NO_RULES } from '../../../src/domain/survey/rules/rules'
import { CODECS } from '../../../src/engine/codecs/codecRegistry'
import { type BufferCodec, compressAfter } from '../../../src/engine/codecs/compressBuffer'
import { jobRunner } from '../../../src/engine/jobs/jobRunner'
import { KeptResults } from '../../../src/engine/jobs/keptResults'
import { lookJob } from '../../../src/engine/look/lookJob'
import { startNativeSurvey } from '../../../src/engine/native/addon'
import { surveyFigures } from '../../../src/engine/survey/surveyFigures'
import { SourceDraw } from '../../../src/engine/survey/walk/sourceDraw'
import { SourceTree } from '../../../src/engine/survey/walk/sourceTree'
import type { SourceWalk } from '../../../src/engine/survey/walk/walkJob'
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
  const roots = [folder]
  const native = startNativeSurvey({
    roots,
    countExcluded: false,
    walkOnly: true,
    blocksFrom512: false,
    sha256: false,
    maxTableBytes: 1 << 20,
    marks: false,
  })
  const sources = new SourceDraw(draw)
  const counted = surveyFigures(roots, { areRead: false })
  let hasEnded = false
  const finished = native.finished.then((end) => {
    hasEnded = true
    return end
  })
  for (;;) {
    const isLast = hasEnded
    const batch = native.takeEntries()
    if (batch) {
      sources.add(batch)
      counted.add(batch, 0, batch.count)
    } else if (isLast) break
    else await setTimeout(5)
  }
  const { reading } = await finished
  await native.close()
  const { totals, types, sizeHistogram, skipped } = counted.figures()
  const { files, folders, bytes, symlinks, hardLinks, skipped: left, special = 0 } = totals
  const walks = new KeptResults<SourceWalk>('walk')
  const looks = new KeptResults<LookDocument>('look')
  walks.keep('w-1', {
    document: {
      schema: 'stowage.walk/1',
      id: 'w-1',
      roots,
      rules: NO_RULES,
      totals: { files, folders, bytes, symlinks, hardLinks, skipped: left, special },
      excluded: null,
      presets: [],
      skipped,
      elapsedMs: 0,
    },
    tree: new SourceTree(roots),
    figures: { totals, types, sizeHistogram },
    strata: counted.strata('all'),
    types: counted.types('all'),
    drawn: sources.finish(),
    deviceKind: reading.deviceKind,
  })
  const nothing = (): void => undefined
  const listener = { progress: nothing, live: nothing, measured: nothing, swept: nothing, ended: nothing }
  const runner = jobRunner(systemClock, listener, () => 'j')
  const end = await runner.start(lookJob({ walkId: 'w-1' }, { walks, looks })).finished
  if (end.error) throw new Error(end.error.message)
  return looks.get('w-1')
}
