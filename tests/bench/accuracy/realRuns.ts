import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { constants, deflateSync, zstdCompressSync } from 'node:zlib'
import { filesOf } from '../../support/referenceSampler'

const require = createRequire(import.meta.url)

/** Actual bytes by `codec` for whole files and by `codec@recordSize` for records. */
export type Truth = Record<string, number>

/** Shell commands that write every file's archive after the other to standard output. */
const FILE_COMMANDS: Readonly<Record<string, string>> = {
  'gzip-1': 'xargs -0 gzip -1 -c --',
  'gzip-6': 'xargs -0 gzip -6 -c --',
  'gzip-9': 'xargs -0 gzip -9 -c --',
  'zstd-1': 'xargs -0 zstd -q -1 -c --',
  'zstd-3': 'xargs -0 zstd -q -3 -c --',
  'zstd-9': 'xargs -0 zstd -q -9 -c --',
  'zstd-19': 'xargs -0 zstd -q -19 -c --',
  'zstd-19-long': 'xargs -0 zstd -q -19 --long=27 -c --',
  lz4: 'xargs -0 -n1 lz4 -q -c',
}

export const RECORD_SIZES = [4096, 16_384, 131_072, 1_048_576]

export const RECORD_CODECS: Readonly<Record<string, (record: Buffer) => number>> = {
  'gzip-1': (record) => deflateSync(record, { level: 1 }).length,
  'gzip-6': (record) => deflateSync(record, { level: 6 }).length,
  'gzip-9': (record) => deflateSync(record, { level: 9 }).length,
  'zstd-3': (record) =>
    zstdCompressSync(record, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }).length,
  lz4: (record) =>
    (require('lz4-napi') as { compressSync(data: Buffer): Buffer }).compressSync(record).length,
}
/** Slow ones are run at one size only. */
const ONLY_AT: Readonly<Record<string, number>> = { 'gzip-1': 16_384, 'gzip-9': 131_072 }

/** Runs the real tools on all files of a folder, or takes what was found the last time from `cache`. */
export function realRuns(folder: string, cache: string, sevenZipPath: string): Truth {
  const files = filesOf(folder)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const key = `${files.length} ${bytes}`
  if (existsSync(cache)) {
    const known = JSON.parse(readFileSync(cache, 'utf8')) as { key: string; truth: Truth }
    if (known.key === key) return known.truth
  }
  const truth: Truth = {}
  const scratch = mkdtempSync(join(tmpdir(), 'stowage-truth-'))
  try {
    const list = join(scratch, 'names')
    writeFileSync(list, files.map(({ path }) => `${relative(folder, path)}\0`).join(''))
    for (const codec of Object.keys(FILE_COMMANDS)) truth[codec] = compressedFiles(codec, list, folder)
    const archive = join(scratch, 'all.7z')
    execFileSync(sevenZipPath, ['a', '-ms=off', '-mx9', '-bso0', '-bsp0', archive, '.'], { cwd: folder })
    truth['lzma2-9'] = statSync(archive).size
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  for (const { path } of files) addRecords(readFileSync(path), truth)
  writeFileSync(cache, JSON.stringify({ key, truth }))
  return truth
}

/** Bytes of the archives of the files whose names are in `list`, each ended by a zero byte. */
export function compressedFiles(codec: string, list: string, folder: string): number {
  return Number(execFileSync('bash', argumentsFor(codec, list), { cwd: folder }))
}

/** The same without stopping this thread, so that several run at a time. */
export async function compressedAtOnce(codec: string, list: string, folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)('bash', argumentsFor(codec, list), { cwd: folder })
  return Number(stdout)
}

function argumentsFor(codec: string, list: string): string[] {
  return ['-o', 'pipefail', '-c', `${FILE_COMMANDS[codec]} < "$1" | wc -c`, 'bash', list]
}

function addRecords(data: Buffer, truth: Truth): void {
  for (const size of RECORD_SIZES) {
    for (const [codec, compress] of Object.entries(RECORD_CODECS)) {
      if ((ONLY_AT[codec] ?? size) !== size) continue
      const key = `${codec}@${size}`
      let sum = truth[key] ?? 0
      for (let at = 0; at < data.length; at += size) {
        const record = data.subarray(at, at + size)
        sum += Math.min(record.length, compress(record))
      }
      truth[key] = sum
    }
  }
}
