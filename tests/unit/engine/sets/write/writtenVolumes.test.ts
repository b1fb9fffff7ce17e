import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { PlanDocument } from '../../../../../src/contract/dto/plan'
import type { RunDocument } from '../../../../../src/contract/dto/run'
import { eventsOfRun, type VolumeEvent } from '../../../../../src/domain/sets/volumeEvent'
import { writtenVolumes } from '../../../../../src/engine/sets/write/writtenVolumes'
import { temporaryFolder } from '../../../../support/archiveRun'

const folder = temporaryFolder('written')
afterAll(() => folder.dispose())

const plan = {
  id: 'p1',
  createdWallMs: 1,
  medium: { kind: 'image' },
  lists: [{ path: 'index.tsv', sha256: 'now' }],
  volumes: [1, 2].map((index) => ({ index, label: `L_${index}`, sectors: 10 * index })),
} as unknown as PlanDocument

function burned(setId: string | undefined, ...bytes: number[]): RunDocument {
  const written = (size: number) => ({ bytes: size, endedWallMs: 5, verified: true })
  return {
    id: 'w1',
    kind: 'write',
    planId: 'p1',
    setId,
    startedWallMs: 2,
    elapsedMs: 1,
    target: { kind: 'drive', path: '/dev/sr0' },
    volumes: bytes.map((size, at) => ({ index: at + 1, state: 'done', errors: [], written: written(size) })),
  } as unknown as RunDocument
}

/** A catalog that knows one run. */
function catalogWith(run: RunDocument) {
  const events = eventsOfRun(run, () => 12).map(
    (event, at): VolumeEvent => Object.assign(event, { number: at + 1 }),
  )
  return { runs: () => [run], run: () => run, saveRun: () => undefined, events: () => events }
}

test.each([
  ['volumes of the size and set that are planned', burned('now', 20_480, 40_960), [1, 2]],
  ['volumes of a run from before sets had names', burned(undefined, 20_480, 40_960), [1, 2]],
  ['no volume that had another size', burned('now', 20_480, 20_480), [1]],
  ['no volume of another set under the same numbers', burned('before', 20_480, 40_960), []],
])('discs are counted as burned: %s', async (_, run, expected) => {
  const catalog = catalogWith(run)
  const directory = folder.path
  const found = await writtenVolumes(
    { directory, plan, lists: 'volumes' },
    { kind: 'drive', path: '/dev/sr1' },
    catalog,
  )
  expect([...found.keys()]).toEqual(expected)
})

test('images in a folder are counted as written only while they are there', async () => {
  const to = join(folder.path, 'to')
  const target = { kind: 'folder' as const, path: to }
  const run = { ...burned('now', 20_480, 40_960), target } as unknown as RunDocument
  const catalog = catalogWith(run)
  mkdirSync(to)
  for (const index of [1, 2]) writeFileSync(join(to, `L_${index}.iso`), '')
  const written = async () => [
    ...(await writtenVolumes({ directory: folder.path, plan, lists: 'volumes' }, target, catalog)).keys(),
  ]
  expect(await written()).toEqual([1, 2])
  rmSync(join(to, 'L_1.iso'))
  expect(await written()).toEqual([2])
})
