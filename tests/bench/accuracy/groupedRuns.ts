import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What many archives came to. */
export interface RealGroups {
  readonly archives: number
  readonly bytes: number
  /** Of those that differ byte for byte. */
  readonly distinctArchives: number
  readonly distinctBytes: number
}

/** An archive to be made: below which folder, of which names there. */
export interface WantedArchive {
  readonly folder: string
  readonly names: readonly string[]
}

/** Makes one solid archive after another, or takes what was found the last time from `cache`. Names hold one byte a character. */
export function realGroups(
  wanted: readonly WantedArchive[],
  dictionaryBytes: number,
  sevenZipPath: string,
  cache: string,
): RealGroups {
  const key = createHash('sha256')
    .update(JSON.stringify([dictionaryBytes, wanted]))
    .digest('hex')
  const known: Record<string, RealGroups> = existsSync(cache)
    ? (JSON.parse(readFileSync(cache, 'utf8')) as Record<string, RealGroups>)
    : {}
  if (known[key]) return known[key]
  const scratch = mkdtempSync(join(tmpdir(), 'stowage-truth-'))
  const distinct = new Map<string, number>()
  let bytes = 0
  try {
    const archive = join(scratch, 'one.7z')
    const list = join(scratch, 'list')
    const options = [
      '-t7z',
      '-mx=9',
      `-md=${dictionaryBytes}b`,
      '-ms=on',
      '-mmt=1',
      '-mtm-',
      '-mtc-',
      '-mta-',
    ]
    for (const { folder, names } of wanted) {
      writeFileSync(list, Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1'))
      const input = ['-mtr-', '-spd', '-scsUTF-8', '-bso0', '-bsp0', archive, `@${list}`]
      execFileSync(sevenZipPath, ['a', ...options, ...input], { cwd: folder })
      const made = readFileSync(archive)
      rmSync(archive)
      bytes += made.length
      distinct.set(createHash('sha256').update(made).digest('hex'), made.length)
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  const found = {
    archives: wanted.length,
    bytes,
    distinctArchives: distinct.size,
    distinctBytes: [...distinct.values()].reduce((sum, one) => sum + one, 0),
  }
  writeFileSync(cache, JSON.stringify({ ...known, [key]: found }, null, 1))
  return found
}
