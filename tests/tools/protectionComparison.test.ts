import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckDocument } from '../../src/contract/dto/check'
import { type PlanDocument, protectionComparisonSchema } from '../../src/contract/dto/plan'
import { protectionWord } from '../../src/domain/sets/protection/protectionChoice'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'

const SECTOR = 2048
const folder = temporaryFolder('levels')
const home = join(folder.path, 'home')
const source = join(folder.path, 'photos')
const MEDIUM = ['--medium', 'custom:5MB']
let survey: string

const run = (...args: readonly string[]): Promise<CommandEnd> => stowage(args, { home, asTyped: true })

beforeAll(async () => {
  mkdirSync(source)
  const random = seededRandom(23)
  for (let file = 0; file < 14; file++) {
    const content = new Uint8Array(600_000 + 23_777 * file)
    random.fillBytes(content)
    writeFileSync(join(source, `f${file}.bin`), content)
  }
  const { code, stdout, stderr } = await run('survey', source, '--sha256', '--samples', 'none', '--json')
  expect(code, stderr).toBe(0)
  survey = JSON.parse(stdout).id
})
afterAll(() => folder.dispose())

async function planned(name: string, ...options: readonly string[]): Promise<PlanDocument> {
  const out = join(folder.path, name)
  const { code, stderr } = await run('plan', '--survey', survey, ...MEDIUM, ...options, '--out', out)
  expect(code, stderr).toBe(0)
  return JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8')) as PlanDocument
}

describe('levels of protection', () => {
  it('are compared with the discs, bytes and scratches that their plans have', { tags: 'long' }, async () => {
    const { code, stdout, stderr } = await run(
      'plan',
      '--survey',
      survey,
      ...MEDIUM,
      '--compare-protection',
      '--json',
    )
    expect(code, stderr).toBe(0)
    const { rows, refused, chosen } = protectionComparisonSchema.parse(JSON.parse(stdout))
    expect(refused).toEqual([])
    expect(chosen).toBe('fill')
    expect(rows.map(({ protection, parityDiscs, copies }) => [protection, parityDiscs, copies])).toEqual([
      ['none', 0, 1],
      [5, 0, 1],
      [10, 0, 1],
      ['fill', 0, 1],
      ['fill', 1, 1],
      ['fill', 2, 1],
      ['fill', 0, 2],
    ])
    for (const [at, row] of rows.entries()) {
      const parity = row.parityDiscs === 0 ? [] : ['--protect-set', String(row.parityDiscs)]
      const plan = await planned(`level-${at}`, '--protect', protectionWord(row.protection), ...parity)
      const discs = [...plan.volumes, ...(plan.parity ?? [])]
      expect(row.volumes).toBe(row.copies * discs.length)
      expect(row.bytes).toBe(row.copies * SECTOR * discs.reduce((sum, { sectors }) => sum + sectors, 0))
      expect(row.survives.discs).toBe(row.parityDiscs + row.copies - 1)
      expect(row.survives.scratchBytes).toBe(
        Math.min(...plan.volumes.map(({ protection }) => protection?.scratchBytes ?? 0)),
      )
    }
    const [none, five, ten, fill, parity] = rows
    expect(fill?.extraVolumes).toBe(0)
    expect(fill?.cpuSeconds.value).toBeGreaterThan(none?.cpuSeconds.value ?? 0)
    expect(fill?.writeSeconds.value).toBeGreaterThan(0)
    expect(ten?.cpuSeconds.value).toBeGreaterThan(five?.cpuSeconds.value ?? 0)
    expect(parity?.writeSeconds.value).toBeGreaterThan(fill?.writeSeconds.value ?? 0)
  })

  it('survive as many damaged sectors in the files of a disc as is said, and not one block more', {
    tags: 'long',
  }, async () => {
    const { stdout } = await run(
      'plan',
      '--survey',
      survey,
      ...MEDIUM,
      '--protect',
      '10%',
      '--compare-protection',
      '--json',
    )
    const row = protectionComparisonSchema
      .parse(JSON.parse(stdout))
      .rows.find(({ protection, copies, parityDiscs }) => protection === 10 && copies === 1 && !parityDiscs)
    const { volumes } = await planned('damaged', '--protect', '10%')
    const sectors = row?.survives.sectors ?? 0
    const setOf = volumes.map(({ protection }) => protection?.sets[0]?.recoveryBlocks ?? 0)
    const weakest = setOf.indexOf(Math.min(...setOf))
    expect(sectors).toBe(setOf[weakest])
    const plan = join(folder.path, 'damaged')
    const built = await run('build', plan)
    expect(built.code, built.stderr).toBe(0)
    const image = join(plan, `images/0${weakest + 1}.iso`)
    // A block of the first files begins with each of these sectors.
    const blockSectors = (volumes[weakest]?.protection?.blockBytes ?? 0) / SECTOR
    const [head = [], ...lines] = readFileSync(join(plan, 'index.tsv'), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.split('\t'))
    const rows = lines.map((cells) => new Map(cells.map((cell, at) => [head[at] ?? '', cell])))
    const starts = rows.flatMap((one) => {
      const [volume, first, bytes] = ['volume', 'sector', 'bytes'].map((name) => Number(one.get(name)))
      if (volume !== weakest + 1 || !first || !bytes) return []
      const count = Math.ceil(bytes / (blockSectors * SECTOR))
      return Array.from({ length: count }, (_, block) => first + block * blockSectors)
    })
    expect(starts.length).toBeGreaterThan(sectors)
    const damaged = join(folder.path, 'damaged.iso')
    for (const [count, verdict] of [
      [sectors, 'repairable'],
      [sectors + 1, 'lost'],
    ] as const) {
      copyFileSync(image, damaged)
      const file = openSync(damaged, 'r+')
      for (const first of starts.slice(0, count))
        writeSync(file, Buffer.alloc(SECTOR), 0, SECTOR, first * SECTOR)
      closeSync(file)
      const checked = await run('verify', damaged, '--json')
      expect((JSON.parse(checked.stdout) as CheckDocument).volumes[0]?.verdict, `${count}`).toBe(verdict)
    }
  })

  it.each([
    [['--compare-protection', '--out', 'x'], '--compare-protection writes no plan: leave out --out'],
    [['--compare-protection', '--protect-set', '1'], 'leave out --protect-set'],
    [['--compare-protection', '--medium', 'disk'], 'cannot protect folders'],
    [['--compare-protection', '--option', '7z-files'], 'cannot compare protection for'],
  ])('refuse %s', async (options, because) => {
    const medium = options.includes('--medium') ? [] : MEDIUM
    const { code, stderr } = await run('plan', '--survey', survey, ...medium, ...options)
    expect(code).not.toBe(0)
    expect(stderr).toContain(because)
  })

  it('are printed with what to type for each', { tags: 'long' }, async () => {
    const { stdout } = await run('plan', '--survey', survey, ...MEDIUM, '--compare-protection')
    const text = stdout.replaceAll(/[\s\\]+/g, ' ')
    expect(text).toMatch(/^\S+ costs no disc and survives a scratch of [\d.]+ [kM]B on each\./)
    expect(text).toMatch(/protection damaged sectors scratch lost discs space ■ discs ■ CPU time ◐ writing ◐/)
    expect(text).toContain('--protect fill --protect-set 2 --out plan')
  })
})
