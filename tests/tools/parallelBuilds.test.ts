import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requireTool } from '../../src/engine/tools/externalTool'
import { xorriso } from '../../src/engine/tools/xorriso'
import { exitCodeOf } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'

const PAIRS = 4
const folder = temporaryFolder('pairs')
const at = (...names: string[]): string => join(folder.path, ...names)
/** As long as it is there, xorriso does not come back from an image that it has written. */
const HOLD = at('hold')

beforeAll(async () => {
  mkdirSync(at('source'))
  const content = Buffer.alloc(2_000_000)
  seededRandom(5).fillBytes(content)
  writeFileSync(at('source', 'film'), content)
  mkdirSync(at('programs'))
  const { path } = await requireTool(xorriso)
  writeFileSync(
    at('programs', 'xorriso'),
    `#!/bin/sh\n'${path}' "$@"\nended=$?\ncase "$*" in *.partial-*) while [ -e '${HOLD}' ]; do sleep 0.02; done;; esac\nexit $ended\n`,
    { mode: 0o755 },
  )
  for (const [builder, out] of [
    ['own', 'plan'],
    ['xorriso', 'xorriso plan'],
  ] as const) {
    const args = ['plan', at('source'), '--medium', 'custom:4MB', '--builder', builder, '--out', at(out)]
    const planned = await stowage(args, { home: at('home') })
    expect(planned.code, planned.stderr).toBe(0)
  }
})
afterAll(() => folder.dispose())

const held = { PATH: `${at('programs')}:${process.env.PATH}` }
const imagesIn = (plan: string): string[] =>
  existsSync(join(plan, 'images')) ? readdirSync(join(plan, 'images')) : []
const isBuilding = (plan: string): boolean => imagesIn(plan).some((name) => name.includes('.partial-'))

function refusedIn(plan: string, { code, stderr }: CommandEnd): void {
  expect(code).toBe(exitCodeOf('refused'))
  expect(stderr).toBe(`stowage: cannot build ${plan}: another build of it is running\n`)
}

it('while a plan is built a second build is refused in one line, and the first goes on undisturbed', async () => {
  const plan = at('held')
  cpSync(at('xorriso plan'), plan, { recursive: true })
  writeFileSync(HOLD, '')
  try {
    const first = stowage(['build', plan], { home: at('home'), env: held })
    await expect.poll(() => isBuilding(plan)).toBe(true)
    // Two homes: what protects one build from the other is not the catalog.
    refusedIn(plan, await stowage(['build', plan], { home: at('other home') }))
    expect(isBuilding(plan)).toBe(true)
    rmSync(HOLD)
    const end = await first
    expect(end.code, end.stderr).toBe(0)
  } finally {
    rmSync(HOLD, { force: true })
  }
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
  cpSync(at('xorriso plan'), plan, { recursive: true })
  writeFileSync(HOLD, '')
  const bundle = fileURLToPath(new URL('../../dist/cli/stowage.cjs', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [bundle, 'build', plan], {
    env: { ...process.env, ...held, STOWAGE_HOME: at('home') },
    stdio: 'ignore',
  })
  const left = (): string[] => imagesIn(plan)
  await expect.poll(() => isBuilding(plan)).toBe(true)
  child.kill('SIGKILL')
  await new Promise((done) => child.once('close', done))
  rmSync(HOLD)
  expect(left()).toEqual([expect.stringMatching(/^01\.iso\.partial-[0-9a-f]{12}$/)])
  const started: CommandEnd = await stowage(['catalog', 'list'], { home: at('home') })
  expect(started.stderr).toContain('removed what a killed process left: ')
  expect(left()).toEqual([])
  const built = await stowage(['build', plan], { home: at('home') })
  expect(built.code, built.stderr).toBe(0)
  expect(left()).toEqual(['01.iso'])
})
