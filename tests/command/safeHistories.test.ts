import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import type { Catalog } from '../../src/engine/catalog/catalog'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import type { FileSystems } from '../../src/engine/files/fileSystems'
import { safeSource } from '../../src/engine/sets/copies/safeSource'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import {
  DISKS,
  type Disk,
  type Event,
  fileSystemOf,
  type History,
  isSafe,
  msOf,
  randomHistory,
  recordOf,
  worldOf,
} from '../support/copyHistories'
import { sha256 } from '../support/volumeFolders'

const HISTORIES = Number(process.env['STOWAGE_HISTORIES'] ?? 50)
let folder: string
let source: string
let plan: PlanDocument
let other: string
let setId: string
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-histories-')))
  source = join(folder, 'source', 'files')
  mkdirSync(join(source, 'a', 'b'), { recursive: true })
  const random = seededRandom(11)
  const content = Buffer.alloc(60_000)
  // One file is larger than a volume, and two are equal.
  for (const name of ['a/1', 'a/2', 'a/b/3', 'large']) {
    random.fillBytes(content)
    writeFileSync(join(source, name), name === 'large' ? Buffer.concat(Array(8).fill(content)) : content)
  }
  cpSync(join(source, 'a/1'), join(source, 'copy of 1'))
  writeFileSync(join(source, 'empty'), '')
  symlinkSync('a/1', join(source, 'link'))
  utimesSync(join(source, 'a', '2'), 7, 7)
  plan = await built('plan', '--label', 'V')
  other = join(folder, 'other')
  await built('other', '--label', 'V', '--exclude', 'large')
  const catalog = openCatalog(join(folder, 'home'))
  setId = catalog.runs(plan.id)[0]?.setId ?? ''
  catalog.remove(catalog.runs(plan.id).map(({ id }) => id))
  catalog.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function built(name: string, ...more: string[]): Promise<PlanDocument> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await stowage(args, { home: join(folder, 'home') })
    expect(code, stderr).toBe(0)
    return stdout
  }
  const out = join(folder, name)
  const planned = await run('plan', source, '--medium', 'folder:450kB', '--out', out, '--json', ...more)
  await run('build', out)
  return JSON.parse(planned) as PlanDocument
}

const labelOf = (volume: number): string => plan.volumes[volume]?.label ?? ''
const builtAt = (volume: number): string =>
  join(folder, 'plan', 'folders', String(volume + 1).padStart(2, '0'))
const sumsOf = (at: string): string => join(at, 'STOWAGE', 'SHA256SUMS')

/** Disks by the folders that stand for them: a disk that is away has no folder. */
const disks: FileSystems = {
  of: async (path) => {
    const disk = DISKS.find((name) => `${path}/`.startsWith(`${join(folder, name)}/`))
    return disk === undefined ? null : fileSystemOf(disk, join(folder, disk))
  },
  mounted: async () =>
    DISKS.filter((disk) => existsSync(join(folder, disk))).map((disk) =>
      fileSystemOf(disk, join(folder, disk)),
    ),
}

const records = () => ({
  planId: plan.id,
  setId,
  labelOf,
  folderOf: (disk: Disk, copy: number) => join(folder, disk, `copy ${copy}`),
  fileSystemOf: (disk: Disk) => fileSystemOf(disk, join(folder, disk)),
  digestOf: (volume: number) => sha256(readFileSync(sumsOf(builtAt(volume)))),
  bytesOf: (volume: number) => plan.volumes[volume]?.bytes ?? 0,
})

/** Does to a real folder what happened to a copy. */
function happen(event: Event, before: ReturnType<typeof worldOf>): void {
  const { volume, copy } = event
  const disk = event.what === 'write' ? event.disk : before.disk
  if (disk === null) return
  const at = join(records().folderOf(disk, copy), labelOf(volume))
  switch (event.what) {
    case 'write':
      if (before.disk !== null)
        rmSync(join(records().folderOf(before.disk, copy), labelOf(volume)), { recursive: true, force: true })
      rmSync(at, { recursive: true, force: true })
      cpSync(builtAt(volume), at, { recursive: true, verbatimSymlinks: true })
      return
    case 'edited':
      appendFileSync(sumsOf(at), '\n')
      return
    case 'removed':
      rmSync(at, { recursive: true })
      return
    case 'cut': {
      const [name = ''] = filesIn(at)
      writeFileSync(join(at, name), readFileSync(join(at, name)).subarray(1))
      return
    }
    case 'gone':
    case 'replaced':
      rmSync(at, { recursive: true })
      cpSync(join(other, 'folders', '01'), at, { recursive: true, verbatimSymlinks: true })
      return
    default:
  }
}

/** The files of the source on a volume that have content. */
function filesIn(at: string): string[] {
  return readdirSync(at, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('STOWAGE') && /^(a\/[12]|a\/b\/3|copy of 1|large.*)$/.test(name),
  )
}

function record(catalog: Catalog, event: Event, number: number, before: ReturnType<typeof worldOf>): void {
  const { run, check, everyMonths, events = [] } = recordOf(event, number, records(), before.disk)
  if (run) catalog.saveRun(run)
  if (check) catalog.saveCheck(check, everyMonths)
  catalog.addEvents(events)
}

/** Plays a history into a fresh copy of the catalog, on folders, and judges the source by it. */
async function verdictOf(history: History): Promise<boolean> {
  const home = join(folder, 'one')
  const away = join(folder, 'away')
  for (const path of [
    home,
    away,
    ...DISKS.filter((disk) => disk !== 'source').map((disk) => join(folder, disk)),
  ])
    rmSync(path, { recursive: true, force: true })
  for (const name of readdirSync(join(folder, 'source')))
    if (name !== 'files') rmSync(join(folder, 'source', name), { recursive: true })
  for (const disk of DISKS) mkdirSync(join(folder, disk), { recursive: true })
  mkdirSync(away)
  cpSync(join(folder, 'home'), home, { recursive: true })
  const catalog = openCatalog(home)
  try {
    for (const [at, event] of history.events.entries()) {
      const before = worldOf(history.events.slice(0, at), event.volume, event.copy)
      happen(event, before)
      record(catalog, event, at, before)
    }
    for (const disk of history.away) renameSync(join(folder, disk), join(away, disk))
    const { lookedAt, wanted: copies } = history
    const request = { surveyId: plan.surveyId, copies, lookedAt, limit: 3 }
    const looking = { fileSystems: disks }
    const now = { nowWallMs: msOf(history.today), pause: async () => {}, looking }
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

test('a source is safe by a real catalog and real folders in random histories exactly when the model says so', async () => {
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
  expect(counts.safe).toBeGreaterThan(HISTORIES / 10)
  expect(counts.unsafe).toBeGreaterThan(HISTORIES / 10)
}, 3_600_000)
