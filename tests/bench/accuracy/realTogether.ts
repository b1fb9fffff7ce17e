import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { filesOf } from '../../support/referenceSampler'
import { compressedFiles, RECORD_CODECS, RECORD_SIZES, type Truth } from './realRuns'

const CODECS = ['lz4', 'zstd-3', 'gzip-6'] as const

/** By `method/codec@recordSize/sectorBytes`: bytes; the same with `#` in front: table entries. */
export type Together = Truth & {
  /** Unique blocks of 4 KiB in the files compressed one by one, as a share of those in the different files' archives. */
  equalBeginnings: number
}

/**
 * Compression and deduplication of a folder by the plainest means: every different record is compressed, rounded by the rules of
 * OpenZFS's zio_write_compress as they are written there, and added up. Shares nothing with the forecast but the codecs.
 */
export function realTogether(folder: string, cache: string): Together {
  const files = filesOf(folder)
  const key = `${files.length} ${files.reduce((sum, file) => sum + file.bytes, 0)}`
  if (existsSync(cache)) {
    const known = JSON.parse(readFileSync(cache, 'utf8')) as { key: string; truth: Together }
    if (known.key === key) return known.truth
  }
  const truth: Together = { equalBeginnings: 1 }
  for (const size of RECORD_SIZES) {
    const plain = new Set<string>()
    const zfs = new Set<string>()
    for (const { path } of files) addFile(readFileSync(path), size, plain, zfs, truth)
  }
  addWholeFiles(folder, truth)
  writeFileSync(cache, JSON.stringify({ key, truth }))
  return truth
}

function add(truth: Truth, key: string, value: number): void {
  truth[key] = (truth[key] ?? 0) + value
}

function digest(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('base64')
}

function addFile(data: Buffer, size: number, plain: Set<string>, zfs: Set<string>, truth: Truth): void {
  for (let at = 0; at < data.length; at += size) {
    const record = data.subarray(at, at + size)
    const isNew = firstTime(plain, `${record.length} ${digest(record)}`)
    // One record of whole sectors, or full records with zeros at the end.
    const length = data.length <= size ? Math.ceil(data.length / 512) * 512 : size
    const stored = Buffer.alloc(length)
    record.copy(stored)
    const isNewForZfs = firstTime(zfs, `${length} ${digest(stored)}`)
    if (!isNew && !isNewForZfs) continue
    const isHole = stored.every((byte) => byte === 0)
    for (const codec of CODECS) {
      const compress = RECORD_CODECS[codec] as (record: Buffer) => number
      if (isNew) {
        add(truth, `deduplicate-compress/${codec}@${size}/1`, Math.min(record.length, compress(record)))
        add(truth, `#deduplicate-compress/${codec}@${size}/1`, 1)
      }
      if (!isNewForZfs || isHole) continue
      const compressed = compress(stored)
      if (compressed <= 112) continue
      for (const sector of [512, 4096]) {
        const whole = Math.ceil(length / sector) * sector
        const limit = Math.floor((whole * 7) / 8 / sector) * sector
        const packed = Math.ceil(compressed / sector) * sector
        add(truth, `zfs/${codec}@${size}/${sector}`, packed <= limit ? packed : whole)
        add(truth, `#zfs/${codec}@${size}/${sector}`, 1)
      }
    }
  }
}

function firstTime(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

/** The different files through the real tools; and what equal beginnings of their archives would save beyond that. */
function addWholeFiles(folder: string, truth: Together): void {
  const seen = new Set<string>()
  const blocks = new Map<string, number>()
  const names: string[] = []
  let archives = 0
  for (const { path } of filesOf(folder)) {
    const data = readFileSync(path)
    if (!firstTime(seen, digest(data))) continue
    names.push(relative(folder, path))
    const archive = zstdCompressSync(data, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })
    archives += archive.length
    for (let at = 0; at < archive.length; at += 4096) {
      const block = archive.subarray(at, at + 4096)
      blocks.set(digest(block), block.length)
    }
  }
  const scratch = mkdtempSync(join(tmpdir(), 'stowage-truth-'))
  try {
    const list = join(scratch, 'names')
    writeFileSync(list, names.map((name) => `${name}\0`).join(''))
    for (const codec of CODECS)
      truth[`compress-deduplicate/${codec}@null/1`] = compressedFiles(codec, list, folder)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  let unique = 0
  for (const bytes of blocks.values()) unique += bytes
  truth.equalBeginnings = archives > 0 ? unique / archives : 1
}
