import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BandSweepDocument } from '../../../src/contract/dto/bands'

/**
 * Whether band sweeps repeat: the twelve usual sizes, several times with other seeds, and what each recommends.
 *   node tests/bench/speed/sweepRepeats.ts [folder] [sweeps] [budget] [full size]
 * Needs the built command line (vite build --mode cli).
 */

const [parent = tmpdir(), sweeps = '10', budget = '8GB', fullSize = '100GB'] = process.argv.slice(2)
const folder = mkdtempSync(join(parent, 'stowage-sweeps-'))
const command = join(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const found: BandSweepDocument[] = []
const formatBandSize = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${(bytes / 1e6).toFixed(1)} MB`
const formatRate = (rate: number): string => `${(rate / 1e6).toFixed(0)} MB/s`
try {
  mkdirSync(join(folder, 'target'))
  for (let seed = 1; seed <= Number(sweeps); seed++) {
    const args = ['bands', join(folder, 'target'), '--json', '--seed', String(seed)]
    const stdout = execFileSync(
      process.execPath,
      [command, ...args, '--budget', budget, '--full-size', fullSize],
      {
        env: { ...process.env, STOWAGE_HOME: join(folder, 'home') },
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    const document = JSON.parse(stdout) as BandSweepDocument
    found.push(document)
    const { recommended, passBytes, repeats, elapsedMs, cache, writtenBytes } = document
    const names = (sizes: readonly number[]): string => sizes.map(formatBandSize).join(', ')
    console.log(
      `${String(seed).padStart(2)}: ${recommended.bandSize === null ? 'none' : formatBandSize(recommended.bandSize)} ` +
        `(${recommended.bands} bands${recommended.isNoise ? ', noise' : ''}), fastest ${formatBandSize(recommended.fastest ?? 0)}; ` +
        `shown slower: ${names(recommended.slower.map(({ bandSize }) => bandSize)) || 'none'}; ` +
        `${repeats} rounds of ${Math.round(passBytes / 1e6)} MB, ${(writtenBytes / 1e9).toFixed(1)} GB written, ` +
        `${(elapsedMs / 1000).toFixed(0)} s, ${cache.plausible ? 'plausible' : 'NOT plausible'}`,
    )
  }
  const sizes = found.map(({ recommended }) => recommended.bandSize)
  const most = Math.max(...sizes.map((size) => sizes.filter((other) => other === size).length))
  const noise = found.filter(({ recommended }) => recommended.isNoise).length
  console.log(`the same size in ${most} of ${found.length} sweeps; ${noise} say that the difference is noise`)
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
  const points = found[0]?.points ?? []
  for (const [index, { bandSize }] of points.entries()) {
    const of = (op: 'write' | 'read' | 'stream') => {
      const rates = found.map(({ points: all }) => all[index]?.[op]?.value ?? Number.NaN)
      const ratios = found.map(({ points: all }) => all[index]?.ofReference[op]?.value ?? Number.NaN)
      return `${op} ${formatRate(median(rates))}, ${median(ratios).toFixed(2)} x raw (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`
    }
    console.log(
      `${formatBandSize(bandSize ?? 0).padStart(8)}: ${of('write')}; ${of('read')}; ${of('stream')}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
