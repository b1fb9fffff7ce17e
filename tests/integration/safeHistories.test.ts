import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import { safeSource } from '../../src/engine/sets/copies/safeSource'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { type History, isSafe, msOf, randomHistory, recordsOf } from '../support/copyHistories'

const HISTORIES = 100
let folder: string
let source: string
let plan: PlanDocument
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-histories-')))
  source = join(folder, 'source')
  mkdirSync(join(source, 'a', 'b'), { recursive: true })
  const random = seededRandom(11)
  const content = Buffer.alloc(250_000)
  // One file is larger than a volume, and two are equal.
  for (const name of ['a/1', 'a/2', 'a/b/3', 'large']) {
    random.fillBytes(content)
    writeFileSync(join(source, name), name === 'large' ? Buffer.concat(Array(6).fill(content)) : content)
  }
  cpSync(join(source, 'a/1'), join(source, 'copy of 1'))
  writeFileSync(join(source, 'empty'), '')
  symlinkSync('a/1', join(source, 'link'))
  utimesSync(join(source, 'a', '2'), 7, 7)
  const args = ['plan', source, '--medium', 'custom:1500kB', '--out', join(folder, 'plan'), '--json']
  const { code, stdout, stderr } = await stowage(args, { home: join(folder, 'home') })
  expect(code, stderr).toBe(0)
  plan = JSON.parse(stdout)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Plays a history into a fresh copy of the catalog and judges the source by it. */
async function verdictOf(history: History): Promise<boolean> {
  const home = join(folder, 'one')
  rmSync(home, { recursive: true, force: true })
  cpSync(join(folder, 'home'), home, { recursive: true })
  const catalog = openCatalog(home)
  try {
    const labelOf = (volume: number): string => plan.volumes[volume]?.label ?? ''
    // In their order: a check keeps the interval of those before it.
    for (const event of history.events) {
      const { runs, checks, notes } = recordsOf({ ...history, events: [event] }, plan.id, labelOf)
      for (const run of runs) catalog.saveRun(run)
      for (const check of checks) {
        const about = { startedWallMs: check.checkedWallMs, elapsedMs: 0, outcome: 'done' } as const
        catalog.saveCheck({ schema: 'stowage.check/1', id: check.id, ...about, volumes: [], notGiven: [] }, [
          check,
        ])
      }
      catalog.noteCopies(notes)
    }
    const request = { surveyId: plan.surveyId, copies: history.wanted, limit: 3 }
    const now = { nowWallMs: msOf(history.today), pause: async () => {} }
    return (await safeSource(catalog, request, now)).safe
  } finally {
    catalog.close()
  }
}

/** The volumes that hold each file or link of the source, or a part of it, by the lists of the plan. */
function filesOfPlan(): number[][][] {
  const catalog = openCatalog(join(folder, 'home'))
  const whole = new Map<string, Set<number>>()
  const parts = new Map<string, Set<number>>()
  try {
    for (const { index } of plan.volumes)
      for (const entry of catalog.planEntries(plan.id, index)) {
        if (entry.kind === 'folder') continue
        const isPart = entry.kind === 'part'
        const key = isPart ? entry.wholeSha256 : entry.kind === 'file' ? entry.sha256 : entry.target
        const volumes = isPart ? parts : whole
        volumes.set(key, (volumes.get(key) ?? new Set()).add(index - 1))
      }
  } finally {
    catalog.close()
  }
  return [
    ...[...whole.values()].map((volumes) => [...volumes].map((volume) => [volume])),
    ...[...parts.values()].map((volumes) => [[...volumes]]),
  ]
}

test('a source is safe by a real catalog in 100 random histories exactly when the model says so', async () => {
  const files = filesOfPlan()
  const volumes = plan.volumes.length
  expect(volumes).toBeGreaterThan(1)
  expect(files.some(([first = []]) => first.length > 1)).toBe(true)
  const random = seededRandom(42)
  const counts = { safe: 0, unsafe: 0 }
  for (let round = 0; round < HISTORIES; round++) {
    const history = randomHistory(random, { volumes, files })
    // The flaw of the model is a source that changed.
    utimesSync(join(source, 'a', '2'), 7, history.flaw ? 8 : 7)
    const expected = isSafe(history)
    counts[expected ? 'safe' : 'unsafe'] += 1
    expect(await verdictOf(history), `history ${round}: ${JSON.stringify(history)}`).toBe(expected)
  }
  expect(counts.safe).toBeGreaterThan(10)
  expect(counts.unsafe).toBeGreaterThan(10)
})
