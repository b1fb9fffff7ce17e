import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckDocument } from '../../src/contract/dto/check'
import { openDamagedImage } from '../../src/engine/sets/volume/image/damagedImage'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'

const SECTOR = 2048
const folder = temporaryFolder('frames')
const home = join(folder.path, 'home')
const disc = join(folder.path, 'disc.iso')
let whole: Buffer
/** Sectors before the first file that hold something, and the last one. */
let sectors: number[]

async function run(...args: readonly string[]): Promise<{ code: number | null; stdout: string }> {
  return stowage(args, { home })
}

beforeAll(async () => {
  const source = join(folder.path, 'source')
  const random = seededRandom(3)
  for (let at = 0; at < 4; at++) {
    mkdirSync(join(source, `folder ${at}/in it`), { recursive: true })
    const content = new Uint8Array(60_000)
    random.fillBytes(content)
    writeFileSync(join(source, `folder ${at}/in it/é ${at}.bin`), content)
  }
  symlinkSync('folder 1', join(source, 'link'))
  const plan = join(folder.path, 'plan')
  const asked = ['--medium', 'custom:3MB', '--protect', 'fill', '--out', plan]
  expect((await run('plan', source, ...asked)).code).toBe(0)
  expect((await run('build', plan)).code).toBe(0)
  const image = join(plan, 'images/01.iso')
  whole = readFileSync(image)
  copyFileSync(image, disc)
  const [, ...lines] = readFileSync(join(plan, 'index.tsv'), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split('\t'))
  const first = Math.min(...lines.flatMap((cells) => Number(cells.at(-1)) || []))
  const holds = (sector: number): boolean =>
    whole.subarray(sector * SECTOR, (sector + 1) * SECTOR).some((byte) => byte !== 0)
  sectors = [...Array.from({ length: first }, (_, at) => at).filter(holds), whole.length / SECTOR - 1]
})
afterAll(() => folder.dispose())

/** Damages sectors of the disc while something is done with it. */
async function damaged<T>(all: readonly number[], byte: number, work: () => Promise<T>): Promise<T> {
  const write = (content: (sector: number) => Uint8Array): void => {
    const file = openSync(disc, 'r+')
    for (const sector of all) writeSync(file, content(sector), 0, SECTOR, sector * SECTOR)
    closeSync(file)
  }
  write(() => new Uint8Array(SECTOR).fill(byte))
  try {
    return await work()
  } finally {
    write((sector) => whole.subarray(sector * SECTOR, (sector + 1) * SECTOR))
  }
}

describe('an image that is checked without its plan', () => {
  it('is whole as it was built', async () => {
    expect((await openDamagedImage(disc)).damage).toBeNull()
  })

  it.each([0, 0xa5])('is damaged by any sector before its files alone, filled with %i', async (byte) => {
    expect(sectors.length).toBeGreaterThan(40)
    const unseen: number[] = []
    for (const sector of sectors) {
      const { damage } = await damaged([sector], byte, () => openDamagedImage(disc))
      if (damage === null) unseen.push(sector)
    }
    expect(unseen).toEqual([])
  })

  it('is repairable where the sectors by which systems know UDF are damaged, and is repaired', async () => {
    const named = (name: string): number =>
      sectors.find((sector) => whole.toString('latin1', sector * SECTOR + 1, sector * SECTOR + 6) === name) ??
      0
    await damaged(['BEA01', 'NSR02', 'TEA01'].map(named), 0, async () => {
      const { code, stdout } = await run('verify', disc, '--json')
      const [volume] = (JSON.parse(stdout) as CheckDocument).volumes
      expect(code).toBe(6)
      expect(volume).toMatchObject({ state: 'damaged', verdict: 'repairable', damaged: [] })
      const repaired = join(folder.path, 'repaired.iso')
      expect((await run('repair', disc, '--out', repaired)).code).toBe(0)
      expect(readFileSync(repaired).equals(whole)).toBe(true)
    })
  })
})
