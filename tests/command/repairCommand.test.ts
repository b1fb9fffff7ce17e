import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RepairDocument } from '../../src/contract/dto/repair'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { openBench, temporaryFolder } from '../support/archiveRun'

const SECTOR = 2048
const folder = temporaryFolder('repair')
const source = join(folder.path, 'source')
const home = join(folder.path, 'data')
const whole = join(folder.path, 'plan/images/01.iso')
const disc = join(folder.path, 'disc.iso')
const out = join(folder.path, 'out.iso')

beforeAll(async () => {
  mkdirSync(join(source, 'x/y'), { recursive: true })
  const random = seededRandom(5)
  for (const [at, name] of ['a', 'x/b', 'x/y/c ä', 'z'].entries()) {
    const content = new Uint8Array(100_001 + 5000 * at)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
    utimesSync(join(source, name), 1_600_000_000 + at, 1_600_000_000.5 + at)
  }
  const bench = openBench(home)
  const plan = await bench.plan(await bench.survey([source]), 'custom:3MB', { labelPrefix: 'DISC' })
  await bench.export(plan.id, join(folder.path, 'plan'))
  await bench.build(join(folder.path, 'plan'))
  bench.close()
})
beforeEach(() => {
  copyFileSync(whole, disc)
  rmSync(out, { force: true })
})
afterAll(() => folder.dispose())

function overwrite(first: number, sectors: number): void {
  const image = readFileSync(disc)
  image.fill(0xa5, first * SECTOR, (first + sectors) * SECTOR)
  writeFileSync(disc, image)
}

async function repairAt(
  at: string,
  ...args: string[]
): Promise<CommandEnd & { document: RepairDocument | null }> {
  const end = await stowage(['repair', disc, '--out', out, '--json', ...args], { home: at })
  return { ...end, document: end.stdout === '' ? null : (JSON.parse(end.stdout) as RepairDocument) }
}

const repair = (...args: string[]): ReturnType<typeof repairAt> => repairAt(home, ...args)

const elsewhere = join(folder.path, 'elsewhere')
/** On a computer whose catalog does not know the plan. */
const repairElsewhere = (...args: string[]): ReturnType<typeof repair> =>
  repairAt(elsewhere, '--force', ...args)

/** The numbers of the sectors in which two images differ. */
function changedSectors(one: string, other: string): number[] {
  const [before, after] = [readFileSync(one), readFileSync(other)]
  expect(after.length).toBe(before.length)
  expect(before.length % SECTOR).toBe(0)
  const sectors = Array.from({ length: before.length / SECTOR }, (_, at) => at)
  return sectors.filter(
    (at) => before.compare(after, at * SECTOR, (at + 1) * SECTOR, at * SECTOR, (at + 1) * SECTOR) !== 0,
  )
}

test('an image with damaged folders is made whole by its index', async () => {
  overwrite(18, 4)
  overwrite(257, 6)
  const { code, document, stderr } = await repair()
  expect(code, stderr).toBe(0)
  expect(document).toMatchObject({ label: 'DISC_01', index: 1, repaired: [], remade: [], notes: [] })
  expect(readFileSync(out).equals(readFileSync(whole))).toBe(true)
  const again = await repair()
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('is already there (--force replaces it)')
  copyFileSync(disc, out)
  expect((await repair('--force')).code).toBe(0)
  expect(readFileSync(out).equals(readFileSync(whole))).toBe(true)
})

test('an image whose plan is in no catalog keeps all that is undamaged, and what it lacks is said', async () => {
  overwrite(257, 6)
  const { document, stderr } = await repairElsewhere()
  expect(document, stderr).toMatchObject({ isAsMade: false })
  const taken = new Set([257, 258, 259, 260, 261, 262])
  expect(changedSectors(whole, out).filter((sector) => !taken.has(sector))).toEqual([])
  const end = await stowage(['repair', disc, '--out', out, '--force'], { home: elsewhere })
  const text = (end.stdout + end.stderr).replaceAll(/\s+/g, ' ')
  expect(text).toContain('an image with all files of DISC_01')
  expect(text).toContain('no list has the times when its files were created')
})

test('creation times and the date are read from the image where no list has them', async () => {
  for (const [first, count, isAsMade] of [
    [16, 4, false],
    [18, 6, true],
    [32, 33, true],
  ] as const) {
    copyFileSync(whole, disc)
    overwrite(first, count)
    const { document, stderr } = await repairElsewhere()
    expect(document, stderr).toMatchObject({ isAsMade })
    expect(changedSectors(whole, out)).toEqual([])
  }
})

test('a protected image is made whole, its recovery data too', async () => {
  const plan = join(folder.path, 'protected')
  for (const args of [
    ['plan', source, '--medium', 'custom:3MB', '--protect', 'fill', '--label', 'SAFE', '--out', plan],
    ['build', plan],
  ]) {
    const end = await stowage(args, { home })
    expect(end.code, end.stderr).toBe(0)
  }
  const image = join(plan, 'images/01.iso')
  copyFileSync(image, disc)
  const bytes = readFileSync(disc)
  const at = bytes.indexOf(readFileSync(join(source, 'z')).subarray(0, 64)) / SECTOR
  const recovery = Math.floor(bytes.lastIndexOf('PAR 2.0\0RecvSlic') / SECTOR)
  overwrite(at, 20)
  overwrite(recovery, 1)
  overwrite(18, 2)
  const { code, document, stderr } = await repair('--force')
  expect(code, stderr).toBe(0)
  expect(document?.repaired).toEqual(['z'])
  expect(document?.remade).toHaveLength(1)
  expect(readFileSync(out).equals(readFileSync(image))).toBe(true)
})

test.each(['its lines', 'a digest'])(
  'nothing is written where %s of the checksums cannot be given back',
  async (what) => {
    overwrite(257, 6)
    const image = readFileSync(disc)
    const at = image.toString('latin1').search(/[0-9a-f]{64} {2}z\n/)
    image.write(what === 'a digest' ? 'e'.repeat(64) : 'not a sum', at, 'latin1')
    writeFileSync(disc, image)
    const { code, stderr } = await repair()
    expect(code).toBe(6)
    expect(stderr).toMatch(/1 file cannot be given back \(\S*SHA256SUMS\)/)
    expect(existsSync(out)).toBe(false)
  },
)

describe('an image of a set with parity', () => {
  const plan = join(folder.path, 'parity')
  const image = (name: string): string => join(plan, 'images', `${name}.iso`)

  beforeAll(async () => {
    for (const args of [
      ['plan', source, '--medium', 'custom:1800kB', '--protect', '8%', '--protect-set', '1', '--out', plan],
      ['build', plan],
    ]) {
      const end = await stowage(args, { home })
      expect(end.code, end.stderr).toBe(0)
    }
  })

  test('has the bytes that parity was made of, wherever it was damaged', async () => {
    const bytes = readFileSync(image('01'))
    const content = bytes.indexOf(readFileSync(join(source, 'a')).subarray(0, 64)) / SECTOR
    const lists = [bytes.indexOf('# Dates in the image'), bytes.lastIndexOf('# Dates in the image')]
    const damages: (readonly [number, number])[][] = [
      [[content, 3]],
      [[16, 4]],
      [[16, 246]],
      [[100, 3]],
      [
        [257, 6],
        [(lists[0] as number) / SECTOR, 1],
      ],
      [
        [257, 6],
        [(lists[1] as number) / SECTOR, 1],
      ],
    ]
    for (const damage of damages) {
      copyFileSync(image('01'), disc)
      for (const [first, count] of damage) overwrite(first, count)
      const { document, stderr } = await repairElsewhere('--parity', image('P'))
      expect(document, `${JSON.stringify(damage)}: ${stderr}`).toMatchObject({ isAsMade: true, notes: [] })
      expect(changedSectors(image('01'), out), JSON.stringify(damage)).toEqual([])
    }
  })

  test('is made again where only what protects its files is damaged', async () => {
    copyFileSync(image('01'), disc)
    const bytes = readFileSync(disc)
    const first = bytes.indexOf('PAR2\0PKT') / SECTOR
    overwrite(first, bytes.length / SECTOR - 1 - first)
    const verified = await stowage(['verify', disc], { home: elsewhere })
    expect(verified.code).toBe(6)
    const text = verified.stdout.replaceAll(/\s+/g, ' ')
    expect(text).toContain('Every file is right: only what protects them is damaged, and can be made again.')
    expect(text).toContain('repairable')
    expect(text).not.toMatch(/\(lost\)/)
    const { document, stderr } = await repairElsewhere('--parity', image('P'))
    expect(document, stderr).toMatchObject({ isAsMade: true })
    expect(changedSectors(image('01'), out)).toEqual([])
  })

  test('is found in the folder of its plan, and never in that of another set', async () => {
    copyFileSync(image('01'), disc)
    const undamaged = await repair('--force')
    expect(undamaged.code).toBe(7)
    overwrite(100, 3)
    const { document, stderr } = await repair('--force')
    expect(document, stderr).toMatchObject({ isAsMade: true })
    expect(changedSectors(image('01'), out)).toEqual([])
    copyFileSync(join(folder.path, 'plan/images/01.iso'), disc)
    overwrite(18, 4)
    const kept = await repair('--force', '--parity', image('P'))
    expect(kept.code, 'the image of another disc that is in the way stays').toBe(2)
    rmSync(out)
    const foreign = await repair('--force', '--parity', image('P'))
    expect(foreign.code).toBe(7)
    expect(foreign.stderr).toContain('it is no parity disc of the set that DISC_01 is in')
  })
})

test('lists of a disc with parity alone come back by their second copy', async () => {
  const plan = join(folder.path, 'parityAlone')
  for (const args of [
    ['plan', source, '--medium', 'custom:1800kB', '--protect', 'none', '--protect-set', '1', '--out', plan],
    ['build', plan],
  ]) {
    const end = await stowage(args, { home })
    expect(end.code, end.stderr).toBe(0)
  }
  const image = join(plan, 'images/01.iso')
  const bytes = readFileSync(image)
  for (const head of ['# Dates in the image', '# Index of all volumes.']) {
    for (const at of [bytes.indexOf(head), bytes.lastIndexOf(head)]) {
      copyFileSync(image, disc)
      overwrite(at / SECTOR, 1)
      overwrite(18, 4)
      const { document, stderr } = await repairElsewhere()
      expect(document, `${head} ${at}: ${stderr}`).toMatchObject({ isAsMade: true })
      expect(changedSectors(image, out)).toEqual([])
    }
  }
})

test('an image without damage is not written again', async () => {
  const { code, stderr } = await repair('--force')
  expect(code).toBe(7)
  expect(stderr).toContain('has no damage')
})

test('nothing is written where a file is lost', async () => {
  const image = readFileSync(disc)
  const at = image.indexOf(readFileSync(join(source, 'z')).subarray(0, 64))
  overwrite(at / SECTOR, 1)
  const missing = join(folder.path, 'missing.iso')
  const end = await stowage(['repair', disc, '--out', missing], { home })
  expect(end.code).toBe(6)
  expect(end.stderr).toContain('1 file cannot be given back (z)')
  expect(() => readFileSync(missing)).toThrow('ENOENT')
})

test('a folder is refused, with what to give instead', async () => {
  const end = await stowage(['repair', source, '--out', out, '--force'], { home })
  expect(end.code).toBe(7)
  expect(end.stderr).toContain('give the image, or the device of the disc')
})
