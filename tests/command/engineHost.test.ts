import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SCENARIOS } from '../conformance/engineHostScenarios'
import { bundle } from '../support/bundle'
import { electronEnvironment, electronRuntime, PROJECT } from '../support/electron'
import { type Display, openDisplay } from '../support/virtualDisplay'

const ENGINES = path.join(PROJECT, 'tests/fixtures/engines')
let folder: string
let display: Display
let engines: [string, string]

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stowage-hosts-'))
  display = await openDisplay()
  engines = [
    await bundle(path.join(ENGINES, 'fixtureEngine.ts'), folder),
    await bundle(path.join(ENGINES, 'strangerEngine.ts'), folder),
  ]
})

afterAll(async () => {
  await display.close()
  await rm(folder, { recursive: true })
})

/** A process that uses the host under test, told what to do by its last argument. */
type StartDriver = (mode: 'scenarios' | 'parent') => Promise<ChildProcess>

async function startNodeDriver(mode: string): Promise<ChildProcess> {
  const driver = await bundle(path.join(ENGINES, 'nodeDriver.ts'), folder)
  return spawn(process.execPath, [driver, ...engines, mode], { stdio: ['ignore', 'pipe', 'pipe'] })
}

async function startUtilityDriver(mode: string): Promise<ChildProcess> {
  const driver = await bundle(path.join(ENGINES, 'utilityDriver.ts'), folder)
  const { executable, switches } = await electronRuntime()
  const args = [...switches, `--user-data-dir=${path.join(folder, 'electron')}`, driver, ...engines, mode]
  return spawn(executable, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: electronEnvironment({ display: display.name, home: folder }),
  })
}

describe('the engine in a utility process', () => answersAsAHost(startUtilityDriver))
// Tests of the window run it too.
describe('the engine in a node child', { tags: 'long' }, () => answersAsAHost(startNodeDriver))

function answersAsAHost(startDriver: StartDriver): void {
  const outcomes = new Map<string, string | null>()
  let complaints = ''

  beforeAll(async () => {
    const driver = await startDriver('scenarios')
    driver.stderr?.on('data', (piece: Buffer) => {
      complaints += piece.toString()
    })
    for await (const line of linesOf(driver)) {
      const { name, failure } = line as { name: string; failure: string | null }
      outcomes.set(name, failure)
    }
  })

  it.each(Object.keys(SCENARIOS))('%s', (name) => {
    const outcome = outcomes.has(name) ? outcomes.get(name) : `never finished; the driver said: ${complaints}`
    expect(outcome).toBeNull()
  })

  it('is gone when its parent was killed', async () => {
    const parent = await startDriver('parent')
    let pid = 0
    for await (const line of linesOf(parent)) {
      pid = (line as { pid: number }).pid
      break
    }
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await vi.waitUntil(() => !isAlive(pid), { timeout: 60_000, interval: 20 })
  })
}

async function* linesOf(child: ChildProcess): AsyncGenerator {
  if (!child.stdout) throw new Error('the driver has no stdout')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) yield JSON.parse(line)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
