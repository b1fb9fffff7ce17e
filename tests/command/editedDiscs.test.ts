import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { queueRequestSchema } from '../../src/contract/dto/restoreQueue'
import { planJob } from '../../src/engine/sets/plan/planJob'
import { queueOf } from '../../src/engine/sets/queue/queueOf'
import { OpenedSets } from '../../src/engine/sets/restore/openedSets'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, runJob, temporaryFolder } from '../support/archiveRun'
import { editToFit } from '../support/editedToFit'
import { noNotes } from '../support/noNotes'
import { runRestore } from '../support/restoreRun'
import { treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('edited-discs')
const source = join(folder.path, 'source')
const to = join(folder.path, 'restored')
/** The only disc of each plan: the second adds to the first, the third has recovery data. */
const images: string[] = []
const edited = join(folder.path, 'edited.iso')
const NOT_OF_PLAN = /^cannot restore from .*edited\.iso: its lists are not those that were made of plan p/
let bench: Bench
let first: unknown

beforeAll(async () => {
  mkdirSync(source)
  bench = openBench(join(folder.path, 'data'))
  const { catalog } = bench
  const random = seededRandom(3)
  let addTo: string | undefined
  for (const [at, name] of ['first', 'second', 'third'].entries()) {
    const content = new Uint8Array(40_000)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
    if (at === 0) first = treeFacts(source)
    const request = { surveyId: await bench.survey([source]), mediumId: 'custom:3MB', labelPrefix: 'E' }
    const how = at < 2 ? { ...request, ...(addTo && { addTo }) } : { ...request, protection: 'fill' as const }
    addTo = (await runJob(planJob({ catalog }, how))) as string
    const plan = join(folder.path, `plan of ${name}`)
    await bench.export(addTo, plan)
    await bench.build(plan)
    images.push(join(plan, 'images/01.iso'))
  }
})
beforeEach(() => rmSync(to, { recursive: true, force: true }))
afterAll(() => {
  bench.close()
  folder.dispose()
})

/** A copy of a disc, with a file changed and its lists made to fit. */
async function edit(at: number, name: string): Promise<void> {
  copyFileSync(images[at] ?? '', edited)
  await editToFit(edited, name)
}

test('the only disc of a plan, with lists changed to fit, is not restored from', async () => {
  await edit(0, 'first')
  await expect(runRestore({ volumes: [edited], to }, bench)).rejects.toThrow(NOT_OF_PLAN)
  const { signal } = new AbortController()
  const deps = { catalog: bench.catalog, notes: noNotes, nowWallMs: 0, signal }
  await expect(queueOf(queueRequestSchema.parse({ volumes: [edited] }), deps)).rejects.toThrow(NOT_OF_PLAN)
  const sets = new OpenedSets({ notes: noNotes, catalog: bench.catalog })
  await expect(sets.open({ volumes: [edited], password: null })).rejects.toThrow(NOT_OF_PLAN)
})

test('nothing contradicts it where the catalog does not know the plan', async () => {
  await edit(0, 'first')
  const { document } = await runRestore({ volumes: [edited], to })
  expect(document.outcome).toBe('done')
})

test('the newest disc, with lists changed to fit, does not stand for its archive', async () => {
  await edit(1, 'second')
  const { document, error } = await runRestore({ volumes: [images[0] ?? '', edited], to }, bench)
  expect(error).toMatchObject({ code: 'verification-failed' })
  expect(document).toMatchObject({ generation: 1, mayBeNewer: [edited] })
  expect(document.damagedLists[0]?.error.message).toContain('its lists are not those that were made of plan')
  expect(treeFacts(to)).toEqual(first)
})

test('recovery data gives back the lists and the file that were changed', async () => {
  await edit(2, 'third')
  const { document, error } = await runRestore({ volumes: [edited], to }, bench)
  expect(error).toBeNull()
  expect(document).toMatchObject({ outcome: 'done', damagedLists: [] })
  expect(readFileSync(join(to, 'third'))).toEqual(readFileSync(join(source, 'third')))
})
