import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exitCodeOf } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'

const PAIRS = 6
const folder = temporaryFolder('pairs')
const at = (...names: string[]): string => join(folder.path, ...names)

beforeAll(async () => {
  mkdirSync(at('source'))
  const content = Buffer.alloc(160_000_000)
  seededRandom(5).fillBytes(content)
  writeFileSync(at('source', 'film'), content)
  const planned = await stowage(['plan', at('source'), '--medium', 'custom:200MB', '--out', at('plan')], {
    home: at('home'),
  })
  expect(planned.code, planned.stderr).toBe(0)
})
afterAll(() => folder.dispose())

it('of two builds of one plan the second is refused in one line, and the first goes on undisturbed', async () => {
  let refused = 0
  for (let pair = 0; pair < PAIRS; pair++) {
    const plan = at(`plan ${pair}`)
    cpSync(at('plan'), plan, { recursive: true })
    // Two homes: what protects one build from the other is not the catalog.
    const ends = await Promise.all(
      ['home', 'other home'].map((home) => stowage(['build', plan], { home: at(home) })),
    )
    for (const end of ends.filter(({ code }) => code !== 0)) {
      refused += 1
      expect(end.code).toBe(exitCodeOf('refused'))
      expect(end.stderr).toBe(`stowage: cannot build ${plan}: another build of it is running\n`)
    }
    expect(ends.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
    expect(readdirSync(join(plan, 'images'))).toEqual(['01.iso'])
    const verified = await stowage(['verify', plan], { home: at('home') })
    expect(verified.code, verified.stderr).toBe(0)
  }
  // One that starts when the other has ended finds the image made.
  expect(refused).toBeGreaterThan(0)
})

it('a build whose process is killed leaves no lock, and the next start removes what it left', async () => {
  const plan = at('killed')
  cpSync(at('plan'), plan, { recursive: true })
  const bundle = fileURLToPath(new URL('../../dist/cli/stowage.cjs', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [bundle, 'build', plan], {
    env: { ...process.env, STOWAGE_HOME: at('home') },
    stdio: 'ignore',
  })
  const images = join(plan, 'images')
  const left = (): string[] => (existsSync(images) ? readdirSync(images) : [])
  while (!left().some((name) => name.includes('.partial-'))) await new Promise((done) => setTimeout(done, 5))
  child.kill('SIGKILL')
  await new Promise((done) => child.once('close', done))
  expect(left()).toEqual([expect.stringMatching(/^01\.iso\.partial-[0-9a-f]{12}$/)])
  const started: CommandEnd = await stowage(['catalog', 'list'], { home: at('home') })
  expect(started.stderr).toContain('removed what a killed process left: ')
  expect(left()).toEqual([])
  const built = await stowage(['build', plan], { home: at('home') })
  expect(built.code, built.stderr).toBe(0)
  expect(left()).toEqual(['01.iso'])
})
