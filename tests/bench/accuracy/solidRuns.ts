import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SolidRun {
  readonly codec: 'lzma2-9' | 'zstd-19-long'
  readonly order: 'path' | 'type' | 'content'
  readonly dictionaryBytes: number
}

/** Sizes of real archives by `codec order dictionary key`, kept in a file, since each takes long to make. */
export function realArchives(cache: string, sevenZipPath: string) {
  const known: Record<string, number> = existsSync(cache)
    ? (JSON.parse(readFileSync(cache, 'utf8')) as Record<string, number>)
    : {}
  return {
    /**
     * Bytes of the real archive of a folder. 7-Zip sorts by itself by path or type; content order, and zstd, get a tar made in
     * the order of `list` (null-terminated paths below the folder).
     */
    bytes(folder: string, run: SolidRun, list: Buffer, key: string): number {
      const name = `${run.codec} ${run.order} ${run.dictionaryBytes} ${key}`
      const before = known[name]
      if (before !== undefined) return before
      const bytes = pack(folder, run, list, sevenZipPath)
      known[name] = bytes
      writeFileSync(cache, JSON.stringify(known, null, 1))
      return bytes
    },
  }
}

/** `--no-recursion`: the list has the folders' files, not the folders. */
const TAR = 'tar --null --no-recursion --verbatim-files-from -T "$1" -cf - '

function pack(folder: string, run: SolidRun, list: Buffer, sevenZipPath: string): number {
  const scratch = mkdtempSync(join(tmpdir(), 'stowage-truth-'))
  try {
    const listFile = join(scratch, 'list')
    writeFileSync(listFile, list)
    const archive = join(scratch, 'all.7z')
    const options = ['-t7z', '-mx=9', `-md=${run.dictionaryBytes}b`, '-ms=on', '-mmt=1', '-bso0', '-bsp0']
    if (run.codec === 'zstd-19-long') {
      const script = `${TAR} | zstd -q -19 --long=${Math.log2(run.dictionaryBytes)} -T1 -c | wc -c`
      return Number(execFileSync('bash', ['-o', 'pipefail', '-c', script, 'bash', listFile], { cwd: folder }))
    }
    if (run.order === 'content') {
      const script = `${TAR} | "$2" a ${options.join(' ')} -siall.tar "$3"`
      execFileSync('bash', ['-o', 'pipefail', '-c', script, 'bash', listFile, sevenZipPath, archive], {
        cwd: folder,
      })
    } else {
      const sorted = run.order === 'type' ? ['-mqs=on'] : []
      execFileSync(sevenZipPath, ['a', ...options, ...sorted, archive, '.'], { cwd: folder })
    }
    return statSync(archive).size
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
