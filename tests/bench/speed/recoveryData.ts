/**
 * The CPU time of recovery data of 5 % for 1 GiB in turn with other programs that make PAR2: one file of random bytes from
 * the cache, 2,000 blocks, 100 recovery blocks, one thread.
 * Run with Node 24 after `npm run -s stowage -- --version`:
 *   node tests/bench/speed/recoveryData.ts [--peer PROGRAM]… [--runs 5] [--json FILE]
 * A peer takes the options of par2cmdline; par2cmdline-turbo gets -t1 too. Everything it makes is removed at the end.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { RawProtecting } from '../../../src/engine/native/rawProtection.ts'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import { ADDON } from '../../support/nativeAddon.ts'
import { cpuMs, programMs, spread } from '../cpuTimes.ts'
import { type ResultRow, writeResult } from '../writeResult.ts'

const { values: given } = parseArgs({
  options: {
    peer: { type: 'string', multiple: true, default: ['par2'] },
    runs: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
})
const require = createRequire(import.meta.url)
const addon = require(ADDON) as RawProtecting

const BYTES = 2 ** 30
const BLOCK_BYTES = 537_600
const RECOVERY_BLOCKS = 100
/** A packet's start, whose content costs nothing. */
const HEAD_BYTES = 68
const PIECE_BYTES = 2 ** 24

const scratch = mkdtempSync(join(tmpdir(), 'stowage-recovery-'))
const source = join(scratch, 'source.bin')

function makeSource(): void {
  const random = seededRandom(5)
  const piece = new Uint8Array(PIECE_BYTES)
  const file = openSync(source, 'w')
  for (let at = 0; at < BYTES; at += PIECE_BYTES) {
    random.fillBytes(piece)
    writeSync(file, piece)
  }
  closeSync(file)
}

async function ours(): Promise<number> {
  const before = process.cpuUsage()
  const exponents = Uint16Array.from({ length: RECOVERY_BLOCKS }, (_, at) => at)
  const columns = [[Buffer.from(source)], Float64Array.of(0), Float64Array.of(BYTES)] as const
  const found = await addon.protectFiles(...columns, Float64Array.of(0), BLOCK_BYTES, exponents, 1).finished
  if (found.failure) throw new Error(found.failure.cause)
  const output = openSync(join(scratch, 'ours.par2'), 'w')
  const heads = new Uint8Array(HEAD_BYTES * RECOVERY_BLOCKS)
  const { error } = await found.writeRecovery(output, heads, found.blocks).finished
  closeSync(output)
  if (error) throw new Error(error.cause)
  return cpuMs(before)
}

function theirs(program: string): number {
  const isTurbo = spawnSync(program, ['-V'], { encoding: 'utf8' }).stdout.includes('turbo')
  const options = [
    '-q',
    '-q',
    `-s${BLOCK_BYTES}`,
    `-c${RECOVERY_BLOCKS}`,
    '-n1',
    '-u',
    ...(isTurbo ? ['-t1'] : []),
  ]
  const ms = programMs(program, ['create', ...options, join(scratch, 'theirs.par2'), source])
  for (const name of readdirSync(scratch)) if (name.startsWith('theirs')) rmSync(join(scratch, name))
  return ms
}

try {
  makeSource()
  await ours()
  const own: number[] = []
  const peers = given.peer.map((program) => ({
    program: spawnSync(program, ['-V'], { encoding: 'utf8' }).stdout.trim(),
    times: [] as number[],
    run: (): number => theirs(program),
  }))
  for (let run = 0; run < Number(given.runs); run++) {
    own.push(await ours())
    for (const peer of peers) peer.times.push(peer.run())
  }
  const rows: ResultRow[] = []
  for (const { program, times } of peers) {
    const ratios = own.map((ms, at) => ms / (times[at] ?? 1))
    rows.push({ peer: program, peerCpuMs: times, ownCpuMs: own, ...spread('ratio', ratios) })
  }
  console.log(JSON.stringify({ processor: cpus()[0]?.model, rows }, null, 1))
  if (given.json !== undefined)
    writeResult(given.json, {
      question: 'What does recovery data cost?',
      rows,
      notes: [
        '1 GiB of random bytes in one file, in the cache; 1,998 blocks of 537,600 bytes, 100 recovery blocks; one thread',
        'CPU time with reading, digests and writing; programs in steps of 10 ms',
      ],
    })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
