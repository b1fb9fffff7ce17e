import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FoundFile } from '../../src/contract/dto/plan'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { treeFacts } from '../support/treeFacts'

let folder: string
let plan: { id: string; surveyId: string }
let out: string
const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: join(folder, 'home') })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-catalog-command-'))
  out = join(folder, 'plan')
  mkdirSync(join(folder, 'source'))
  writeFileSync(join(folder, 'source', 'a.bin'), Buffer.alloc(500_000, 'stowage'))
  const end = await run('plan', join(folder, 'source'), '--medium', 'custom:2MB', '--out', out, '--json')
  expect(end.code, end.stderr).toBe(0)
  plan = JSON.parse(end.stdout)
  expect((await run('build', out)).code).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('stowage catalog', () => {
  it('lists plans with their state', async () => {
    const { stdout } = await run('catalog', 'list', '--all')
    expect(stdout).toMatch(new RegExp(`^${plan.id} .* built +${out}$`, 'm'))
  })

  it('refuses, with one line and exit code 7, what cannot be removed, and removes nothing', async () => {
    const before = (await run('catalog', 'list', '--json')).stdout
    expect(await run('catalog', 'remove', plan.surveyId)).toEqual({
      code: 7,
      stdout: '',
      stderr: `stowage: cannot remove survey ${plan.surveyId}: plan ${plan.id} was made from it\n`,
    })
    expect(await run('catalog', 'remove', plan.id, 'p-0')).toEqual({
      code: 7,
      stdout: '',
      stderr: 'stowage: cannot remove p-0: nothing in the catalog has this ID\n',
    })
    expect((await run('catalog', 'remove')).code).toBe(2)
    expect((await run('catalog', 'forget', plan.id)).code).toBe(2)
    expect((await run('catalog', 'list', '--json')).stdout).toBe(before)
  })

  it('removes a plan with its survey and the sketch, and leaves every file of the person', async () => {
    const own = join(folder, 'own home')
    const at = join(folder, 'other plan')
    const ran = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: own })
    const planned = await ran('plan', join(folder, 'source'), '--medium', 'custom:2MB', '--out', at, '--json')
    const { id, surveyId } = JSON.parse(planned.stdout)
    const built = JSON.parse((await ran('build', at, '--json')).stdout)
    const sketches = (): string[] =>
      readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.includes(`${surveyId}.sketch`),
      )
    expect(sketches()).toHaveLength(1)
    const before = treeFacts(at)
    const { code, stdout } = await ran('catalog', 'remove', surveyId, id, built.id)
    expect([code, stdout]).toEqual([
      0,
      `removed survey ${surveyId}\nremoved plan ${id}\nremoved run ${built.id}\n`,
    ])
    expect(sketches()).toEqual([])
    expect(treeFacts(at)).toEqual(before)
    expect(JSON.parse((await ran('catalog', 'list', '--json')).stdout)).toMatchObject({
      surveys: [],
      plans: [],
    })
    expect((await ran('find', 'a.bin')).code).toBe(7)
    expect((await ran('verify', at)).code).toBe(0)
  })

  it('prints what was removed as one JSON document', async () => {
    const source = join(folder, 'source')
    const { id } = JSON.parse((await run('survey', source, '--samples', 'none', '--json')).stdout)
    const { stdout } = await run('catalog', 'remove', id, '--json')
    expect(JSON.parse(stdout)).toEqual({ schema: 'stowage.removal/1', removed: [{ kind: 'survey', id }] })
  })
})

describe('stowage find', () => {
  it('names every disc of a plan of one archive over all discs', async () => {
    const source = join(folder, 'noise')
    mkdirSync(source)
    const random = seededRandom(5)
    for (let index = 1; index <= 5; index++) {
      const content = Buffer.alloc(300_000)
      random.fillBytes(content)
      writeFileSync(join(source, `n${index}`), content)
    }
    const at = join(folder, 'joined plan')
    const surveyed = await run('survey', source, '--samples', 'fast', '--json')
    const planned = await run(
      'plan',
      '--survey',
      JSON.parse(surveyed.stdout).id,
      '--option',
      '7z-files',
      '--joined',
      '--medium',
      'custom:1MB',
      '--out',
      at,
      '--json',
    )
    expect(planned.code, planned.stderr).toBe(0)
    const before = (await run('find', 'n1')).stdout.replaceAll(/\s+/g, ' ')
    expect(before).toContain('None of it is known to be built or written.')
    const built = JSON.parse((await run('build', at, '--json')).stdout)
    const again = ['--medium', 'custom:2MB', '--label', 'OTHER', '--out', `${at} again`]
    expect((await run('plan', '--survey', JSON.parse(surveyed.stdout).id, ...again)).code).toBe(0)
    const labels: string[] = built.volumes.map(({ label }: { label: string }) => label)
    expect(labels.length).toBeGreaterThan(1)
    const { stdout } = await run('find', 'n1')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `1 file found in 2 plans. To restore it you need ${labels.length} discs: ${labels.join(', ')} (plan ${built.planId}).`,
    )
    const { files } = JSON.parse((await run('find', 'n1', '--json')).stdout) as { files: FoundFile[] }
    const found = files.find(({ volume }) => volume?.planId === built.planId)
    expect(found?.volume?.needs).toEqual(labels)
  })
})
