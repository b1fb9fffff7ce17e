import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  type EntryBatch,
  entryPath,
  type NativeSurvey,
  type NativeSurveyOptions,
  startNativeSurvey,
} from '../../src/engine/native/addon'
import { type BlockLevel } from '../../src/engine/native/levels'

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-native-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder with a tebibyte of hole, whose SHA-256 would take a quarter of an hour. */
export function hole(): string {
  const root = temporaryFolder()
  writeFileSync(join(root, 'hole'), '')
  truncateSync(join(root, 'hole'), 2 ** 40)
  return root
}

export function put(folder: string, name: string, content: Uint8Array | string): void {
  const place = join(folder, name)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, content)
}

/** One entry of a batch as an object. */
export interface ToldEntry {
  readonly kind: 'file' | 'folder' | 'symlink' | 'hardLink' | 'skipped'
  readonly bytes: number
  readonly digest: string
  readonly sha256: string | null
  readonly mtimeNs: bigint
  readonly inode: bigint
  readonly mode: number
  readonly target: string | undefined
  readonly skip: { code: string; message: string } | undefined
}

const KINDS = ['file', 'folder', 'symlink', 'hardLink', 'skipped'] as const

function* entriesOf(batch: EntryBatch): IterableIterator<[string, ToldEntry]> {
  for (let i = 0; i < batch.count; i++) {
    yield [
      entryPath(batch, i),
      {
        kind: KINDS[batch.kinds[i] as number] as ToldEntry['kind'],
        bytes: batch.bytes[i] as number,
        digest: Buffer.from(batch.digests.subarray(i * 16, i * 16 + 16)).toString('hex'),
        sha256: batch.sha256 && Buffer.from(batch.sha256.subarray(i * 32, i * 32 + 32)).toString('hex'),
        mtimeNs: batch.mtimeNs[i] as bigint,
        inode: batch.inode[i] as bigint,
        mode: batch.mode[i] as number,
        target: batch.linkTargets.get(i),
        skip: batch.skips.get(i),
      },
    ]
  }
}

export function takeAll(survey: NativeSurvey): Map<string, ToldEntry> {
  const reported = new Map<string, ToldEntry>()
  for (let batch = survey.takeEntries(); batch; batch = survey.takeEntries()) {
    for (const [path, entry] of entriesOf(batch)) reported.set(path, entry)
  }
  return reported
}

export const DEFAULTS = { blocksFrom512: false, sha256: false, maxTableBytes: 64 << 20 }

/** A whole survey, with what must hold of each checked by the caller. */
export async function surveyed(
  root: string,
  options: Partial<NativeSurveyOptions> = {},
): Promise<{ entries: Map<string, ToldEntry>; levels: BlockLevel[] }> {
  const survey = startNativeSurvey({ roots: [root], ...DEFAULTS, ...options })
  await survey.finished
  return { entries: takeAll(survey), levels: survey.blockLevels() }
}

/** The figures of one block size by cutting contents up and comparing the pieces' SHA-256. */
export function countedByContent(contents: readonly Uint8Array[], blockSize: number) {
  const count = {
    blockSize,
    blocks: 0,
    bytes: 0,
    uniqueBlocks: 0,
    uniqueBytes: 0,
    zeroBlocks: 0,
    zeroBytes: 0,
  }
  const distinct = new Set<string>()
  for (const content of contents) {
    for (let at = 0; at < content.length; at += blockSize) {
      const block = content.subarray(at, at + blockSize)
      count.blocks += 1
      count.bytes += block.length
      if (block.every((byte) => byte === 0)) {
        count.zeroBlocks += 1
        count.zeroBytes += block.length
      }
      const identity = createHash('sha256').update(block).digest('hex')
      if (distinct.has(identity)) continue
      distinct.add(identity)
      count.uniqueBlocks += 1
      count.uniqueBytes += block.length
    }
  }
  return count
}
