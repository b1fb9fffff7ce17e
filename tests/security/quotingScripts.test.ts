import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { pathFromBytes } from '../../src/primitives/pathText'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'

const folder = temporaryFolder('scripts')
const source = join(folder.path, 'source')
let bench: Bench
let plan: PlanDocument

beforeAll(async () => {
  mkdirSync(source)
  writeFileSync(join(source, 'a'), 'content')
  bench = openBench(join(folder.path, 'data'))
  const surveyId = await bench.survey([source])
  plan = await bench.plan(surveyId, 'bd-r-25:spare-none')
})
afterAll(() => {
  bench.close()
  folder.dispose()
})

const run = (script: string, args: readonly string[], cwd = '/'): { status: number; output: string } => {
  try {
    const output = execFileSync('sh', [script, ...args], { cwd, stdio: 'pipe', encoding: 'utf8' })
    return { status: 0, output }
  } catch (thrown) {
    const { status, stdout, stderr } = thrown as { status: number; stdout: string; stderr: string }
    return { status, output: stdout + stderr }
  }
}

describe.each([
  ['with spaces and quotes', Buffer.from(`a plan's "folder"`)],
  ['that begins with a dash and ends with a line feed', Buffer.from('-plan\n')],
  ['that a shell would expand', Buffer.from('$(touch hacked)*`id`')],
  ['that is not UTF-8', Buffer.from('pl\xe4n', 'latin1')],
  ['that xorriso or sh could take for an option or escape', Buffer.from('%s\\n=;#')],
])('a plan in a folder %s', (_, name) => {
  /** The folder, alone in a folder of its own. */
  const place = (): { parent: string; directory: string; image: Buffer } => {
    const parent = mkdtempSync(join(folder.path, 'place-'))
    const bytes = Buffer.concat([Buffer.from(`${parent}/`), name])
    const image = Buffer.concat([bytes, Buffer.from('/images/01.iso')])
    return { parent, directory: pathFromBytes(bytes), image }
  }

  test('is exported, built and verified', async () => {
    const { parent, directory, image } = place()
    await bench.export(plan.id, directory)
    const built = await bench.build(directory)
    expect(built.error).toBeNull()
    const verified = await bench.verify(directory)
    expect(verified.run.volumes.flatMap(({ errors }) => errors)).toEqual([])
    expect(verified.error).toBeNull()
    expect(statSync(image).size).toBe((plan.volumes[0]?.sectors ?? 0) * 2048)
    expect(readdirSync(parent)).toHaveLength(1)
    expect(existsSync('hacked')).toBe(false)
  })
})

describe('the scripts of a plan', () => {
  const directory = join(folder.path, 'plan')
  beforeAll(async () => {
    await bench.export(plan.id, directory)
    await bench.build(directory)
  })

  test('refuse volumes that do not exist, and write nothing then', () => {
    for (const script of ['burn-xorriso.sh', 'burn-growisofs.sh'])
      expect(run(join(directory, script), ['/dev/null', '7'])).toMatchObject({ status: 2 })
  })

  test('burn built images with xorriso, with a file in place of a drive', () => {
    const drive = join(folder.path, 'drive')
    writeFileSync(drive, '')
    expect(run(join(directory, 'burn-xorriso.sh'), [`stdio:${drive}`, '1', '4'])).toMatchObject({ status: 0 })
    const image = join(directory, 'images/01.iso')
    execFileSync('cmp', ['-n', String(statSync(image).size), image, drive])
  })

  test('show what growisofs would do, and let it near nothing but a block device', () => {
    const file = join(folder.path, 'no device')
    writeFileSync(file, '')
    const script = join(directory, 'burn-growisofs.sh')
    expect(run(script, [file, '1'])).toMatchObject({
      status: 2,
      output: expect.stringContaining('not a block device'),
    })
    const dry = run(script, ['--dry-run', file, '01', '4'])
    expect(dry.status).toBe(0)
    expect(dry.output).toMatch(/builtin_dd if=images\/01\.iso of=/)
    expect(run(script, ['--dry-run', file, '1', '4;id'])).toMatchObject({ status: 2 })
  })

  test('disable the spare area of growisofs only for the medium without one', async () => {
    const text = (at: string): string =>
      execFileSync('cat', [join(at, 'burn-growisofs.sh')], { encoding: 'utf8' })
    expect(text(directory)).toContain('-use-the-force-luke=spare:none')
    const usual = await bench.plan(await bench.survey([source]), 'bd-r-25')
    await bench.export(usual.id, join(folder.path, 'usual'))
    expect(text(join(folder.path, 'usual'))).not.toContain('-use-the-force-luke')
  })
})
