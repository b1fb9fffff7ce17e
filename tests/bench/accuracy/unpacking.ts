/**
 * How fast codecs unpack by the survey's samples, against real runs of the tools on all files of a set. Run with Node 24:
 * node tests/bench/accuracy/unpacking.ts [--sets source,logs,programs,media] [--samples normal] [--runs 3]
 * Real tools unpack the whole set at once, from a memory file system where there is one; their start is taken off. Medians of runs,
 * in megabytes a second of CPU time. Needs gzip, zstd, lz4 and python3.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CACHE, median, percent, withBundle } from './bundled.ts'

type Bench = typeof import('./forecastSet.ts')

const { values: given } = parseArgs({
  options: {
    sets: { type: 'string', default: 'source,logs,programs,media' },
    samples: { type: 'string', default: 'normal' },
    runs: { type: 'string', default: '3' },
  },
})

/** What makes one packed stream of standard input, and what unpacks it into nothing. */
const TOOLS: Readonly<Record<string, readonly [pack: string, unpack: string]>> = {
  'gzip-6': ['gzip -6 -c', 'gzip -dc'],
  'zstd-3': ['zstd -q -3 -T1 -c', 'zstd -q -dc --single-thread'],
  lz4: ['lz4 -q -c', 'lz4 -q -dc'],
}

mkdirSync(CACHE, { recursive: true })
await withBundle('forecastSet.ts', async (bench: Bench) => {
  const tool = await bench.sevenZipPath()
  for (const name of given.sets.split(',')) await compare(bench, tool, name)
})

async function compare(bench: Bench, tool: string, name: string): Promise<void> {
  const folder = bench.setFolder(CACHE, name)
  const found = await bench.forecastSet(folder, given.samples as 'normal', 1, 1, false, bench.systemClock)
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'stowage-truth-'))
  console.log(`\n${name}: ${(found.bytes / 1e6).toFixed(1)} MB\ncodec       forecast  real MB/s   error`)
  try {
    for (const codec of [...Object.keys(TOOLS), 'lzma2-9']) {
      const row = found.compression.find((one) => one.codec === codec && one.recordSize === null)
      const forecast = row?.unpackBytesPerSecond
      const bytesPerSecond = found.bytes / realSeconds(codec, folder, scratch, tool)
      const shown = forecast === undefined ? 'none' : (forecast / 1e6).toFixed(1)
      const error = forecast === undefined ? '' : percent(forecast / bytesPerSecond - 1)
      console.log(
        `${codec.padEnd(10)} ${shown.padStart(9)} ${(bytesPerSecond / 1e6).toFixed(1).padStart(10)} ${error}`,
      )
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Processor seconds of unpacking, less those of unpacking nothing. */
function realSeconds(codec: string, folder: string, scratch: string, sevenZip: string): number {
  const some = join(scratch, 'packed.7z')
  const none = join(scratch, 'nothing.7z')
  const empty = join(scratch, 'empty')
  rmSync(some, { force: true })
  rmSync(none, { force: true })
  writeFileSync(empty, '')
  let unpack: string
  if (codec === 'lzma2-9') {
    // As the survey has it: every file by itself, at a level whose packing is waited for.
    const options = ['a', '-t7z', '-ms=off', '-mx9', '-bso0', '-bsp0']
    execFileSync(sevenZip, [...options, some, '.'], { cwd: folder })
    execFileSync(sevenZip, [...options, none, empty])
    unpack = `"${sevenZip}" t -mmt=1 -bso0 -bsp0`
  } else {
    const [pack, tool] = TOOLS[codec] as readonly [string, string]
    execFileSync(
      'bash',
      ['-c', `find . -type f -print0 | sort -z | xargs -0 cat | ${pack} > "$1"`, 'bash', some],
      {
        cwd: folder,
      },
    )
    execFileSync('bash', ['-c', `${pack} < "$1" > "$2"`, 'bash', empty, none])
    unpack = tool
  }
  const seconds = (archive: string): number => {
    const script = `TIMEFORMAT='%U %S'; time ${unpack} "$1" > /dev/null`
    const runs = Array.from({ length: Number(given.runs) }, () => {
      const reported = execFileSync('bash', ['-c', `{ ${script}; } 2>&1`, 'bash', archive], {
        encoding: 'utf8',
      })
      return reported
        .trim()
        .split(/\s+/)
        .reduce((sum, one) => sum + Number(one), 0)
    })
    return median(runs) ?? 0
  }
  return Math.max(0.001, seconds(some) - seconds(none))
}
