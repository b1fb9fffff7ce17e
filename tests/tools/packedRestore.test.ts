import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PlanRequest } from '../../src/contract/dto/plan'
import { makeHostileTree } from '../fixtures/hostileTree'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { makeTitles } from '../support/builtOption'
import { runRestore } from '../support/restoreRun'
import { treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('packed-restore')
const source = join(folder.path, 'source')
/** Some titles, for recipes whose archives hold files as those of another recipe do, but choose them otherwise. */
const titles = join(folder.path, 'titles')
const to = join(folder.path, 'restored')
let bench: Bench
let surveyId = ''
let titlesId = ''

beforeAll(async () => {
  makeHostileTree(source, { seed: 5, bigBytes: 1_500_000 })
  // Some recipes add endings to names.
  for (const name of readdirSync(source, { encoding: 'buffer' }))
    if (name.length > 200) rmSync(Buffer.concat([Buffer.from(`${source}/`), name]))
  mkdirSync(titles)
  makeTitles(titles)
  bench = openBench(join(folder.path, 'data'))
  surveyId = await bench.survey([source], { sha256: true, samples: 'fast' })
  titlesId = await bench.survey([titles], { sha256: true, samples: 'fast' })
})
beforeEach(() => rmSync(to, { recursive: true, force: true }))
afterAll(() => {
  bench.close()
  folder.dispose()
})

const PLANS: readonly [recipe: string, medium: string, more: Pick<PlanRequest, 'joined' | 'encryption'>][] = [
  ['7z-files', 'custom:3MB', {}],
  ['7z-solid-1m-content', 'custom:3MB', {}],
  ['7z-solid-1m-path', 'custom:1400KB', { joined: true }],
  ['7z-titles', 'custom:3MB', {}],
  ['7z-titles+files', 'custom:3MB', {}],
  ['7z-groups', 'custom:3MB', {}],
  ['torrentzip-titles', 'custom:3MB', {}],
  ['tar-zst-19-1m-path', 'custom:3MB', {}],
  ['tar-zst-19-1m-path', 'custom:1400KB', { joined: true }],
  ['squashfs-gzip-128k', 'folder:5MB', {}],
  ['udzo', 'folder:5MB', {}],
  ['files-gzip-9', 'custom:3MB', {}],
  ['files-zstd-3', 'custom:3MB', {}],
  ['files-lz4', 'custom:3MB', {}],
  ['borg-1-none', 'folder:100MB', {}],
  ['restic-auto', 'folder:100MB', {}],
  ['7z-files', 'custom:3MB', { encryption: 'aes-256' }],
  ['udzo', 'folder:5MB', { encryption: 'aes-256' }],
  ['borg-1-none', 'folder:100MB', { encryption: 'aes-256' }],
  ['restic-auto', 'folder:100MB', { encryption: 'aes-256' }],
]

/** `7z-titles` proves that names of all kinds come back from an archive each. */
const BY_TITLE: ReadonlySet<string> = new Set(['7z-titles+files', '7z-groups', 'torrentzip-titles'])

test.each(PLANS)(
  '%s on %s restores from what is built: %j',
  { tags: 'long' },
  async (recipe, medium, more) => {
    const password = more.encryption ? Buffer.from('swordfish') : null
    const [from, id] = BY_TITLE.has(recipe) ? [titles, titlesId] : [source, surveyId]
    const plan = await bench.plan(id, medium, { recipe, ...more })
    const directory = join(folder.path, plan.id)
    await bench.export(plan.id, directory)
    const { error } = await bench.build(directory, password ? { password: Buffer.from(password) } : {})
    expect(error).toBeNull()
    const given = password && Buffer.from(password)
    const restored = await runRestore({ volumes: [directory], to, password: given })
    expect(restored.error).toBeNull()
    expect(restored.document).toMatchObject({ outcome: 'done', restored: restored.document.files })
    expect(treeFacts(to)).toEqual(treeFacts(from))
  },
)
