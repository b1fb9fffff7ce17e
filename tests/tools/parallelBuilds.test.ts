import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exitCodeOf } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'

const PAIRS = 4
/** Long enough to be stopped in. */
const LONG_BYTES = 1 << 29
const BUNDLE = fileURLToPath(new URL('../../dist/cli/stowage.cjs', import.meta.url))
const folder = temporaryFolder('pairs')
const at = (...names: string[]): string => join(folder.path, ...names)

beforeAll(async () => {
  for (const name of ['source', 'long']) mkdirSync(at(name))
  const content = Buffer.alloc(2_000_000)
  seededRandom(5).fillBytes(content)
  writeFileSync(at('source', 'film'), content)
  writeFileSync(at('long', 'film'), '')
  truncateSync(at('long', 'film'), LONG_BYTES)
  for (const [source, medium, out] of [
    ['source', 'custom:4MB', 'plan'],
    ['long', 'custom:1GB', 'long plan'],
  ] as const) {
    const args = ['plan', at(source), '--medium', medium, '--protect', 'none', '--out', at(out)]
    const planned = await stowage(args, { home: at('home') })
    expect(planned.code, planned.stderr).toBe(0)
  }
})
afterAll(() => folder.dispose())

const imagesIn = (plan: string): string[] =>
  existsSync(join(plan, 'images')) ? readdirSync(join(plan, 'images')) : []
const partialIn = (plan: string): string | undefined =>
  imagesIn(plan).find((name) => name.includes('.partial-'))

/** A build of the long plan that is stopped while it writes the image. */
async function stoppedBuild(plan: string): Promise<{ build: ChildProcess; end: Promise<number | null> }> {
  cpSync(at('long plan'), plan, { recursive: true })
  const build = spawn(process.execPath, [BUNDLE, 'build', plan], {
    env: { ...process.env, STOWAGE_HOME: at('home') },
    stdio: 'ignore',
  })
  const end = new Promise<number | null>((done) => build.once('close', done))
  const written = (): number => {
    const partial = partialIn(plan)
    return partial === undefined ? 0 : statSync(join(plan, 'images', partial)).size
  }
  await expect.poll(written, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0)
  build.kill('SIGSTOP')
  expect(partialIn(plan)).toBeDefined()
  return { build, end }
}

function refusedIn(plan: string, { code, stderr }: CommandEnd): void {
  expect(code).toBe(exitCodeOf('refused'))
  expect(stderr).toBe(`stowage: cannot build ${plan}: another build of it is running\n`)
}

it('while a plan is built a second build is refused in one line, and the first goes on undisturbed', async () => {
  const plan = at('held')
  const { build, end } = await stoppedBuild(plan)
  // Two homes: what protects one build from the other is not the catalog.
  refusedIn(plan, await stowage(['build', plan], { home: at('other home') }))
  expect(partialIn(plan)).toBeDefined()
  build.kill('SIGCONT')
  expect(await end).toBe(0)
  expect(imagesIn(plan)).toEqual(['01.iso'])
  const verified = await stowage(['verify', plan], { home: at('home') })
  expect(verified.code, verified.stderr).toBe(0)
})

it('of two builds that start at once one makes the image, and the other is refused or finds it made', {
  tags: 'long',
}, async () => {
  for (let pair = 0; pair < PAIRS; pair++) {
    const plan = at(`plan ${pair}`)
    cpSync(at('plan'), plan, { recursive: true })
    const ends = await Promise.all(
      ['home', 'other home'].map((home) => stowage(['build', plan], { home: at(home) })),
    )
    for (const end of ends.filter(({ code }) => code !== 0)) refusedIn(plan, end)
    expect(ends.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
    expect(imagesIn(plan)).toEqual(['01.iso'])
    const verified = await stowage(['verify', plan], { home: at('home') })
    expect(verified.code, verified.stderr).toBe(0)
  }
})

it('a build whose process is killed leaves no lock, and the next start removes what it left', async () => {
  const plan = at('killed')
  const { build, end } = await stoppedBuild(plan)
  build.kill('SIGKILL')
  expect(await end).toBeNull()
  expect(imagesIn(plan)).toEqual([expect.stringMatching(/^01\.iso\.partial-[0-9a-f]{12}$/)])
  const started: CommandEnd = await stowage(['catalog', 'list'], { home: at('home') })
  expect(started.stderr).toContain('removed what a killed process left: ')
  expect(imagesIn(plan)).toEqual([])
  const built = await stowage(['build', plan], { home: at('home') })
  expect(built.code, built.stderr).toBe(0)
  expect(imagesIn(plan)).toEqual(['01.iso'])
})
