import { expect, it } from 'vitest'
import type { Catalog } from '../../../../src/engine/catalog/catalog'
import { compareDocument } from '../../../../src/engine/options/compareDocument'
import { buildPlan, buildRun, mediumOf, planItem } from '../../../fixtures/fakeEngine/plans'

const SURVEY = { id: 's1', roots: ['/media/photos'], files: 100, bytes: 4e9 }

function planOn(id: string, mediumId: string) {
  const medium = mediumOf(mediumId)
  return buildPlan({ id, survey: SURVEY, medium })
}

it('a built set has the sector size of its medium; one whose plan was removed, that of a disc', () => {
  const [onDisc, onDisk, removed] = [planOn('pa', 'dvd-r'), planOn('pb', 'disk'), planOn('pc', 'disk')]
  const runs = [onDisc, onDisk, removed].map((plan, at) =>
    buildRun(`r${at}`, 'build', plan, '/media/backup', []),
  )
  const catalog: Pick<Catalog, 'optionBuilds' | 'runs' | 'plans'> = {
    optionBuilds: () => [],
    runs: () => runs,
    plans: () => [onDisc, onDisk].map((plan) => planItem(plan, null)),
  }
  const compared = compareDocument(catalog)
  expect(compared.runs.map(({ planId, sectorBytes }) => [planId, sectorBytes])).toEqual([
    ['pa', 2048],
    ['pb', 4096],
    ['pc', 2048],
  ])
})
