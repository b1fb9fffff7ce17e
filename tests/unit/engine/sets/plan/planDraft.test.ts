import { link, mkdir, mkdtemp, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_RULES } from '../../../../../src/domain/survey/rules/rules'
import type { WalkDocument } from '../../../../../src/domain/survey/sourceWalk'
import { PlanDrafts } from '../../../../../src/engine/sets/plan/planDraft'

const MB = 1_000_000
let place = ''

/** A file of so many bytes, none of them written, of the middle of a year. */
async function fileOf(path: string, bytes: number, year: number): Promise<void> {
  const at = join(place, path)
  await mkdir(dirname(at), { recursive: true })
  await writeFile(at, '')
  await truncate(at, bytes)
  await utimes(at, new Date(`${year}-06-01`), new Date(`${year}-06-01`))
}

const drafts = new PlanDrafts(() => [])
const walkOf = (roots: string[], patterns: string[], id: string): WalkDocument =>
  ({ id, roots, rules: { ...NO_RULES, patterns } }) as unknown as WalkDocument

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'draft-'))
  for (const year of [2019, 2020, 2021])
    for (const number of [1, 2, 3]) await fileOf(`photos/${year}/${number}.raw`, 200 * MB, year)
  await link(join(place, 'photos/2019/1.raw'), join(place, 'photos/2019/again.raw'))
  await symlink('2019/1.raw', join(place, 'photos/newest'))
  await fileOf('photos/cache/left.tmp', 600 * MB, 2021)
  await mkdir(join(place, 'empty'))
})

afterAll(() => rm(place, { recursive: true }))

describe('a draft of volumes from a listing', () => {
  it('fills them by date where folders are years, each file once, and leaves out what rules leave out', async () => {
    const draft = await drafts.draft(walkOf([join(place, 'photos')], ['cache/'], 'w-1'), {
      walkId: 'w-1',
      mediumId: 'cd-700',
      prices: [
        { mediumId: 'cd-700', amount: 0.5, currency: 'EUR', notedOn: '2026-11-01' },
        { mediumId: 'bd-r-25', amount: 1, currency: 'EUR', notedOn: '2026-11-01' },
      ],
    })
    expect(draft.filledBy).toBe('date')
    expect(draft.totals).toMatchObject({ files: 10, bytes: 1800 * MB, lowerBoundVolumes: 3, splitFiles: 0 })
    expect(draft.volumes.map(({ label }) => label)).toEqual(['PHOTOS_01', 'PHOTOS_02', 'PHOTOS_03'])
    expect(draft.volumes.map(({ shares }) => shares.map(({ path }) => path))).toEqual([
      ['2019'],
      ['2020'],
      ['2021'],
    ])
    expect(draft.volumes[0]).toMatchObject({ files: 4, bytes: 600 * MB })
    for (const { sectors, capacitySectors, bytes } of draft.volumes) {
      expect(sectors).toBeGreaterThan(bytes / 2048)
      expect(sectors).toBeLessThanOrEqual(capacitySectors)
    }
    expect(draft.prices).toHaveLength(1)
  })

  it('takes a name of labels that is given', async () => {
    const draft = await drafts.draft(walkOf([join(place, 'photos')], [], 'w-2'), {
      walkId: 'w-1',
      mediumId: 'bd-r-25',
      labelPrefix: 'KEPT',
    })
    expect(draft.volumes).toMatchObject([{ label: 'KEPT_01', files: 11 }])
    expect(draft.prices).toBeUndefined()
  })

  it('lists a source once for all media', async () => {
    await fileOf('twice/first.raw', MB, 2021)
    const walk = walkOf([join(place, 'twice')], [], 'w-4')
    const before = await drafts.draft(walk, { walkId: 'w-4', mediumId: 'bd-r-25' })
    await fileOf('twice/later.raw', MB, 2021)
    const other = await drafts.draft(walk, { walkId: 'w-4', mediumId: 'dvd-r' })
    expect(other.totals.files).toBe(before.totals.files)
    const anew = await drafts.draft({ ...walk, id: 'w-5' }, { walkId: 'w-5', mediumId: 'dvd-r' })
    expect(anew.totals.files).toBe(before.totals.files + 1)
  })

  it('says that there is nothing in a folder without files', async () => {
    const drafted = drafts.draft(walkOf([join(place, 'empty')], [], 'w-3'), {
      walkId: 'w-1',
      mediumId: 'bd-r-25',
    })
    await expect(drafted).rejects.toMatchObject({ code: 'nothing-to-do' })
  })
})
