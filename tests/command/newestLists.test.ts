import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { queueRequestSchema } from '../../src/contract/dto/restoreQueue'
import { planJob } from '../../src/engine/sets/plan/planJob'
import { queueOf } from '../../src/engine/sets/queue/queueOf'
import { openDamagedImage } from '../../src/engine/sets/volume/image/damagedImage'
import { seededRandom } from '../../src/primitives/seededRandom'
import { openBench, runJob, temporaryFolder } from '../support/archiveRun'
import { noNotes } from '../support/noNotes'
import { runRestore } from '../support/restoreRun'
import { type TreeFact, treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('newest-lists')
const source = join(folder.path, 'source')
const to = join(folder.path, 'restored')
const damagedDisc = join(folder.path, 'damaged.iso')
const images: string[] = []
const states: Record<string, TreeFact>[] = []

beforeAll(async () => {
  mkdirSync(source)
  const bench = openBench(join(folder.path, 'data'))
  const { catalog } = bench
  const random = seededRandom(7)
  let addTo: string | undefined
  for (const name of ['first', 'second']) {
    const content = new Uint8Array(40_000)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
    states.push(treeFacts(source))
    const surveyId = await bench.survey([source])
    const request = { surveyId, mediumId: 'custom:3MB', protection: 'fill' as const, labelPrefix: 'SAFE' }
    addTo = (await runJob(planJob({ catalog }, { ...request, ...(addTo && { addTo }) }))) as string
    const plan = join(folder.path, `plan of ${name}`)
    await bench.export(addTo, plan)
    await bench.build(plan)
    images.push(join(plan, 'images/01.iso'))
  }
  bench.close()
})
afterAll(() => folder.dispose())
beforeEach(() => rmSync(to, { recursive: true, force: true }))

/** Overwrites both copies of the lists in a copy of a disc: their beginnings, or them and the recovery data. */
async function damageLists(disc: string | undefined, bytes: number | 'all'): Promise<void> {
  const content = readFileSync(disc ?? '')
  const image = await openDamagedImage(disc ?? '')
  const tree = await image.tree(new AbortController().signal)
  const recovery = bytes === 'all' ? [...tree.keys()].filter((path) => path.endsWith('.par2')) : []
  for (const name of [...LISTS, ...recovery]) {
    const place = await image.placeOf(name)
    if (!place) throw new Error(`no ${name}`)
    const { offset, bytes: most } = place
    content.fill(0xa5, offset, offset + (bytes === 'all' ? most : bytes))
  }
  writeFileSync(damagedDisc, content)
}

const LISTS = ['INDEX.tsv', 'SHA256SUMS'].flatMap((name) => [`STOWAGE/${name}`, `STOWAGE/copy/${name}`])
const given = (): string[] => [images[0] ?? '', damagedDisc]

test('the newest state comes back where both copies of its lists are damaged and repairable', async () => {
  await damageLists(images[1], 100)
  const { document, error } = await runRestore({ volumes: given(), to })
  expect(error).toBeNull()
  expect(document).toMatchObject({ outcome: 'done', generation: 2, damagedLists: [] })
  expect(document.mayBeNewer ?? document.newestGeneration).toBeUndefined()
  expect(treeFacts(to)).toEqual(states[1])
})

test('an older state is named where the lists of the newest disc are lost', async () => {
  await damageLists(images[1], 'all')
  const { document, error } = await runRestore({ volumes: given(), to })
  expect(error).toMatchObject({ code: 'verification-failed' })
  expect(error?.message).toContain('may be of a generation after 1')
  expect(document).toMatchObject({ generation: 1, mayBeNewer: [damagedDisc] })
  expect(treeFacts(to)).toEqual(states[0])
})

test('a queue of discs names one that may hold a newer state', async () => {
  await damageLists(images[1], 'all')
  const bench = openBench(join(folder.path, 'other data'))
  const request = queueRequestSchema.parse({ volumes: given() })
  const { signal } = new AbortController()
  const queue = await queueOf(request, {
    catalog: bench.catalog,
    notes: noNotes,
    nowWallMs: Date.now(),
    signal,
  })
  expect(queue.mayBeNewer).toEqual([damagedDisc])
  bench.close()
})

test('an older state that was asked for is named with the newest', async () => {
  const { document } = await runRestore({ volumes: images, to, asOf: '1' })
  expect(document).toMatchObject({ outcome: 'done', generation: 1, newestGeneration: 2 })
  expect(treeFacts(to)).toEqual(states[0])
})

test('damaged lists of an older disc are not called newer', async () => {
  const [old, newest = ''] = images
  await damageLists(old, 'all')
  const { document } = await runRestore({ volumes: [damagedDisc, newest], to })
  expect(document).toMatchObject({
    generation: 2,
    damagedLists: [{ path: join(damagedDisc, 'STOWAGE/INDEX.tsv') }],
  })
  expect(document.mayBeNewer ?? document.newestGeneration).toBeUndefined()
  expect(treeFacts(to)).toEqual(states[1])
})
