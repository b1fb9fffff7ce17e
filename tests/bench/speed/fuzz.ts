import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import {
  bundlePlist,
  handEncryption,
  noiseOf,
  sparseImage,
  udifImage,
} from '../../support/containers/referenceWriter.ts'

/**
 * Runs the fuzzers of foreign images one after another, from seeds made here:
 *   cmake --preset fuzz && cmake --build --preset fuzz     (in native)
 *   node tests/bench/speed/fuzz.ts [seconds for each] [name]…
 */

const BUILD = join(import.meta.dirname, '../../../.cache/cmake/fuzz')

function seedsOf(): Record<string, Buffer[]> {
  const band = noiseOf('band', 4096)
  const small = handEncryption({ password: 'secret', keyBits: 128, isOld: false, rounds: 1 })
  const old = handEncryption({ password: 'secret', keyBits: 256, isOld: true, rounds: 2 })
  const content = noiseOf('content', 10_000)
  return {
    sparseImage: [
      sparseImage(4096, 40_960, [
        [3, band],
        [0, band],
      ]),
      sparseImage(4096, 4096 * 3000, [[2999, band]]),
      sparseImage(1 << 20, 1 << 16, []),
    ],
    bundle: [
      Buffer.from(`\0${bundlePlist(8388608, 65536)}`),
      Buffer.from(
        '\0<plist><array><true/><data>AAEC</data><string>&#x20AC;&amp;</string><integer>-3</integer></array></plist>',
      ),
      Buffer.concat([Buffer.from([1]), small.header(0).subarray(0, 1024)]),
      Buffer.concat([Buffer.from([1]), old.header(0).subarray(0, 1024)]),
    ],
    encryption: [
      Buffer.concat([small.header(content.length), small.encrypt(content)]),
      Buffer.concat([old.header(content.length), old.encrypt(content)]),
    ],
    udif: [
      udifImage([
        { type: 1, sectors: 8, stored: band },
        { type: 2, sectors: 16, stored: Buffer.alloc(0) },
        { type: 0x80000005, sectors: 8, stored: deflateSync(band) },
        { type: 0, sectors: 4, stored: Buffer.alloc(0) },
      ]),
      udifImage([{ type: 0x80000006, sectors: 8, stored: band.subarray(0, 100) }]),
    ],
  }
}

const [seconds = '600', ...wanted] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'stowage-fuzz-'))
let failures = 0
try {
  for (const [name, seeds] of Object.entries(seedsOf())) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const program = join(BUILD, `${name}Fuzzer`)
    if (!existsSync(program)) throw new Error(`${program} is not built`)
    const corpus = join(folder, name)
    mkdirSync(corpus)
    seeds.forEach((seed, index) => writeFileSync(join(corpus, `seed${index}`), seed))
    const result = spawnSync(
      program,
      [
        corpus,
        `-max_total_time=${seconds}`,
        '-max_len=262144',
        '-timeout=20',
        '-rss_limit_mb=1024',
        '-print_final_stats=1',
        `-artifact_prefix=${BUILD}/${name}-`,
      ],
      { encoding: 'utf8', maxBuffer: 1 << 28 },
    )
    const stat = (key: string) => new RegExp(`stat::${key}:\\s*(\\d+)`).exec(result.stderr)?.[1] ?? '?'
    const coverage = [...result.stderr.matchAll(/cov: (\d+)/g)].at(-1)?.[1] ?? '?'
    console.log(
      `${name}: exit ${result.status}, ${stat('number_of_executed_units')} runs, coverage ${coverage}, peak ${stat('peak_rss_mb')} MB`,
    )
    if (result.status !== 0) {
      failures++
      console.log(result.stderr.slice(-4000))
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${cpus().length} cores; ${failures} fuzzers found something`)
process.exitCode = failures > 0 ? 1 : 0
