/**
 * Kills `stowage write` with SIGKILL at random moments of a run of five volumes to a file that stands in for the disc in a drive:
 * packing, building, writing and reading back. A person changes the discs: what the run has on record goes to the shelf, anything
 * else is spoiled. Then the run is started again until it ends. Afterwards it is led into other trouble: a full disk, sources that
 * changed or went, burners that hang or print garbage, a disc that is not blank, read errors.
 * Linux, with script (util-linux) and a C compiler. Run with Node 24 after building (node scripts/bootstrap.mjs test):
 *   node tests/bench/faults/writeKills.ts [--kills 100] [--seed 1] [--keep]
 * Ends with 1 if anything was violated. What has to hold after every kill:
 *   the next run completes the set; each disc on the shelf holds the volume's image, and the digest on record is that of the image;
 *   no volume that was on record was written again; nothing is left beside the volumes
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { RunDocument } from '../../../src/contract/dto/run.ts'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import { badSectors } from '../../support/badSectors.ts'

const { values: given } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
})

const CLI = join(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const VOLUMES = 5
const KINDS = [
  { name: 'packed', plan: ['--option', 'files-zstd-3'], write: [] },
  { name: 'plain', plan: [], write: [] },
  { name: 'on the fly', plan: [], write: ['--on-the-fly', '--buffer', '64KiB'] },
] as const
type Kind = (typeof KINDS)[number]

const folder = mkdtempSync(join(tmpdir(), 'stowage-write-kills-'))
const random = seededRandom(Number(given.seed))
const violations: string[] = []

/** The places of one trial. */
interface Place {
  readonly home: string
  readonly plan: string
  readonly disc: string
  readonly shelf: string
  readonly spoiled: string
}

function stowage(home: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const ended = spawnSync(process.execPath, [CLI, ...args], {
    env: { ...process.env, STOWAGE_HOME: home, ...env },
    encoding: 'utf8',
    timeout: 120_000,
  })
  return { code: ended.status, out: ended.stdout, err: ended.stderr }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function runsOf({ plan }: Place): RunDocument[] {
  const runs = join(plan, 'runs')
  if (!existsSync(runs)) return []
  return readdirSync(runs)
    .filter((name) => name.startsWith('w-') && name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(runs, name), 'utf8')) as RunDocument)
}

/** How often each volume is on record as written. */
function written(place: Place): Map<string, number> {
  const times = new Map<string, number>()
  for (const { volumes } of runsOf(place))
    for (const { label, state } of volumes)
      if (state === 'done') times.set(label, (times.get(label) ?? 0) + 1)
  return times
}

/** Takes the disc out: to the shelf when a volume is on record that is not there yet, to the others otherwise. */
function takeOut(place: Place): void {
  if (!existsSync(place.disc)) return
  const label = [...written(place).keys()].find((one) => !existsSync(join(place.shelf, one)))
  const spoiled = join(place.spoiled, String(readdirSync(place.spoiled).length))
  renameSync(place.disc, label === undefined ? spoiled : join(place.shelf, label))
}

/**
 * Runs `stowage write` on a terminal of its own and changes discs when it asks; kills it after some time if it still runs.
 * @returns whether it was killed, how long it ran and its exit code
 */
async function writeOnTerminal(place: Place, kind: Kind, killAfterMs: number | null) {
  const pidFile = join(place.spoiled, '..', 'pid')
  rmSync(pidFile, { force: true })
  const words = [process.execPath, CLI, 'write', place.plan, '--drive', `stdio:${place.disc}`, ...kind.write]
  const command = `echo $$ > '${pidFile}'; exec ${words.map((word) => `'${word}'`).join(' ')}`
  const startedMs = performance.now()
  const child: ChildProcess = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { ...process.env, STOWAGE_HOME: place.home, SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
    if (!text.includes('press Enter.')) return
    text = ''
    takeOut(place)
    child.stdin?.write('\n')
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let wasKilled = false
  if (killAfterMs !== null) {
    const isOver = await Promise.race([ended.then(() => true), delay(killAfterMs).then(() => false)])
    if (!isOver && existsSync(pidFile)) wasKilled = endsAtOnce(Number(readFileSync(pidFile, 'utf8')))
  }
  const limit = setTimeout(() => child.kill('SIGKILL'), 120_000)
  const code = await ended
  clearTimeout(limit)
  return { wasKilled, ms: performance.now() - startedMs, code, text }
}

/** Kills a process. @returns false for one that ended before */
function endsAtOnce(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw thrown
  }
}

function placeFrom(master: string, name: string): Place {
  const base = join(folder, name)
  mkdirSync(base)
  const place = {
    home: join(base, 'home'),
    plan: join(base, 'plan'),
    disc: join(base, 'disc'),
    shelf: join(base, 'shelf'),
    spoiled: join(base, 'spoiled'),
  }
  cpSync(join(master, 'home'), place.home, { recursive: true })
  cpSync(join(master, 'plan'), place.plan, { recursive: true, preserveTimestamps: true })
  mkdirSync(place.shelf)
  mkdirSync(place.spoiled)
  return place
}

function makeMaster(name: string, source: string, plan: readonly string[]): string {
  const master = join(folder, `master ${name}`)
  mkdirSync(master)
  const words = [
    'plan',
    source,
    '--medium',
    'custom:1250kB',
    '--label',
    'SET',
    '--out',
    join(master, 'plan'),
    ...plan,
  ]
  const { code, err } = stowage(join(master, 'home'), words)
  if (code !== 0) throw new Error(`cannot plan: ${err}`)
  return master
}

/** Everything that must hold once the set is complete. */
function check(place: Place, name: string): void {
  const violated = (text: string): void => {
    violations.push(`${name}: ${text}`)
  }
  const times = written(place)
  if (times.size !== VOLUMES) violated(`${times.size} volumes are on record instead of ${VOLUMES}`)
  for (const [label, count] of times) if (count !== 1) violated(`${label} was written ${count} times`)
  const { code, err } = stowage(place.home, ['build', place.plan])
  if (code !== 0) violated(`cannot build the images: ${err}`)
  const recorded = new Map(
    runsOf(place).flatMap(({ volumes }) =>
      volumes.flatMap(({ index, label, written: facts }) =>
        facts ? [[label, { index, ...facts }] as const] : [],
      ),
    ),
  )
  for (const [label, { index, sha256: digest, verified }] of recorded) {
    const image = readFileSync(join(place.plan, 'images', `0${index}.iso`))
    if (sha256(image) !== digest) violated(`the digest of ${label} on record is not that of its image`)
    if (!verified) violated(`${label} is on record without having been read back`)
    const disc = join(place.shelf, label)
    if (!existsSync(disc)) violated(`no disc of ${label} is on the shelf`)
    else if (!readFileSync(disc).subarray(0, image.length).equals(image))
      violated(`the disc of ${label} is not its image`)
  }
  const left = ['images', '.'].flatMap((part) =>
    readdirSync(join(place.plan, part)).filter((one) => one.includes('partial') || one.includes('replaced')),
  )
  if (left.length > 0) violated(`left behind: ${left.join(', ')}`)
}

async function killTrials(source: string): Promise<void> {
  const masters = new Map(KINDS.map((kind) => [kind.name, makeMaster(kind.name, source, kind.plan)]))
  const wholeMs = new Map<string, number>()
  for (const kind of KINDS) {
    const place = placeFrom(masters.get(kind.name) as string, `whole ${kind.name}`)
    const { ms, code, text } = await writeOnTerminal(place, kind, null)
    if (code !== 0) throw new Error(`a run without a kill ended with ${code}: ${text}`)
    takeOut(place)
    check(place, `whole ${kind.name}`)
    wholeMs.set(kind.name, ms)
    console.log(`${kind.name}: a run of ${VOLUMES} volumes takes ${(ms / 1000).toFixed(1)} s`)
  }
  let [killed, spoiled] = [0, 0]
  const reached = new Map<number, number>()
  for (let trial = 1; killed < Number(given.kills); trial++) {
    const kind = KINDS[trial % KINDS.length] as Kind
    const place = placeFrom(masters.get(kind.name) as string, `trial ${trial}`)
    const killAfterMs = Math.round(random.unit() * (wholeMs.get(kind.name) as number))
    const first = await writeOnTerminal(place, kind, killAfterMs)
    const before = written(place).size
    if (first.wasKilled) {
      killed += 1
      reached.set(before, (reached.get(before) ?? 0) + 1)
    }
    takeOut(place)
    const second = await writeOnTerminal(place, kind, null)
    takeOut(place)
    const name = `trial ${trial} (${kind.name}, killed after ${killAfterMs} ms with ${before} written)`
    if (second.code !== 0) violations.push(`${name}: the next run ended with ${second.code}: ${second.text}`)
    check(place, name)
    spoiled += readdirSync(place.spoiled).length
    if (trial % 10 === 0) console.log(`${killed} kills, ${violations.length} violations`)
    rmSync(join(folder, `trial ${trial}`), { recursive: true, force: true })
  }
  const moments = [...reached].toSorted(([one], [other]) => one - other)
  const text = moments.map(([volumes, count]) => `${count} with ${volumes} written`).join(', ')
  console.log(`${killed} kills (${text}); ${spoiled} discs spoiled; ${violations.length} violations`)
}

/** Other trouble: each must end in one line, and leave a run that the next one completes. */
async function troubles(source: string): Promise<void> {
  const real = spawnSync('sh', ['-c', 'command -v xorriso'], { encoding: 'utf8' }).stdout.trim()
  /** A PATH on which `xorriso -as cdrecord` is a script. */
  const burner = (place: Place, script: string): NodeJS.ProcessEnv => {
    const bin = join(place.spoiled, '..', 'bin')
    mkdirSync(bin)
    const text = `#!/bin/sh\nif [ "$1" = -as ]; then\n${script}\nfi\nexec ${real} "$@"\n`
    writeFileSync(join(bin, 'xorriso'), text)
    chmodSync(join(bin, 'xorriso'), 0o755)
    return { PATH: `${bin}:${process.env['PATH']}` }
  }
  const one = (place: Place, env: NodeJS.ProcessEnv = {}, more: readonly string[] = []) =>
    stowage(place.home, ['write', place.plan, '--each', '--drive', `stdio:${place.disc}`, ...more], env)
  const master = makeMaster('troubles', source, [])
  const tried = (
    name: string,
    expected: number,
    trouble: (place: Place) => ReturnType<typeof stowage>,
    undo: (place: Place) => void = (place) => rmSync(place.disc, { force: true }),
  ): void => {
    const place = placeFrom(master, name)
    const { code, err } = trouble(place)
    const lines = err.split('\n').filter((line) => line.startsWith('stowage: '))
    if (code !== expected) violations.push(`${name}: ended with ${code} instead of ${expected}: ${err}`)
    if (lines.length !== 1) violations.push(`${name}: ${lines.length} lines of error: ${err}`)
    console.log(
      `  ${name}: exit code ${code}, ${lines[0]?.replaceAll(place.spoiled.slice(0, -8), '') ?? 'NO LINE'}`,
    )
    undo(place)
    const next = one(place)
    if (next.code !== 0) violations.push(`${name}: the next run ended with ${next.code}: ${next.err}`)
    rmSync(join(folder, name), { recursive: true, force: true })
  }

  tried('not blank', 7, (place) => {
    writeFileSync(place.disc, 'somebody needs this')
    return one(place)
  })
  const photo = join(source, 'photo 1')
  const content = readFileSync(photo)
  const putBack = (): void => {
    writeFileSync(photo, content)
    utimesSync(photo, 1_700_000_000, 1_700_000_000)
  }
  tried(
    'changed source',
    7,
    (place) => {
      writeFileSync(photo, 'other')
      return one(place, {}, ['--on-the-fly'])
    },
    putBack,
  )
  tried(
    'vanished source',
    7,
    (place) => {
      rmSync(photo)
      return one(place)
    },
    putBack,
  )
  tried('garbage', 1, (place) => one(place, burner(place, 'head -c 3000000 /dev/urandom >&2; exit 9')))
  tried('burner ends early', 6, (place) =>
    one(place, burner(place, `head -c 9000 > '${place.disc}'; exit 0`)),
  )
  tried('full disc', 4, (place) => {
    rmSync(place.disc, { force: true })
    const disk = join(place.spoiled, '..', 'disk')
    mkdirSync(disk)
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300k', 'tmpfs', disk])
    const { plan, home } = place
    const ended = stowage(home, ['write', plan, '--drive', `stdio:${join(disk, 'disc')}`])
    spawnSync('umount', [disk])
    return ended
  })
  tried('full folder', 4, (place) => {
    const disk = join(place.spoiled, '..', 'disk')
    mkdirSync(disk)
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300k', 'tmpfs', disk])
    const ended = stowage(place.home, ['write', place.plan, '--to', disk])
    spawnSync('umount', [disk])
    return ended
  })
  const bad = badSectors(folder)
  for (const [name, from] of [
    ['read error in the volume descriptors', 0],
    ['read error in a file', 300_000],
  ] as const)
    tried(name, 1, (place) => {
      writeFileSync(place.disc, '')
      return one(place, bad.env(place.disc, [[from, 2048]]))
    })
}

try {
  const source = join(folder, 'source')
  mkdirSync(source)
  for (let photo = 1; photo <= VOLUMES; photo++) {
    const content = Buffer.alloc(400_000)
    random.fillBytes(content)
    writeFileSync(join(source, `photo ${photo}`), content)
    utimesSync(join(source, `photo ${photo}`), 1_700_000_000, 1_700_000_000)
  }
  await killTrials(source)
  console.log('other trouble:')
  await troubles(source)
  for (const violation of violations) console.log(`VIOLATED ${violation}`)
  console.log(violations.length === 0 ? 'nothing was violated' : `${violations.length} violations`)
  process.exitCode = violations.length === 0 ? 0 : 1
} finally {
  if (!given.keep) rmSync(folder, { recursive: true, force: true })
}
