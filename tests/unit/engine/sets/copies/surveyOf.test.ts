import { realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../src/engine/sets/copies/surveyOf'
import { temporaryFolder } from '../../../../support/surveyedFolder'

interface Survey {
  readonly id: string
  readonly partial?: boolean
  /** Files without SHA-256. */
  readonly missing?: number
  readonly isReadable?: boolean
}

/** A catalog with surveys of one folder, newest first. */
function catalogOf(root: string, surveys: readonly Survey[]): Parameters<typeof surveyOf>[0] {
  const known = (id: string) => surveys.find((survey) => survey.id === id)
  const catalog = {
    earlierSurveys: ([path]: readonly string[]) =>
      path === root ? surveys.map(({ id }) => ({ surveyId: id })) : [],
    surveyedRoots: () => [root],
    readableSurvey: (id: string) =>
      known(id)?.isReadable === false ? null : { id, partial: known(id)?.partial === true },
    missingSha256: (id: string) => ({ files: known(id)?.missing ?? 0 }),
  }
  return catalog as unknown as Parameters<typeof surveyOf>[0]
}

describe('the survey to judge a source by', () => {
  const folder = () => realpathSync(temporaryFolder())

  test('is the newest whole one that has all SHA-256', async () => {
    const root = folder()
    const surveys = [
      { id: 'stopped', partial: true },
      { id: 'quick', missing: 1 },
      { id: 'new' },
      { id: 'old' },
    ]
    expect(await surveyOf(catalogOf(root, surveys), [root])).toBe('new')
  })

  test('is the newest that can be read where none is whole', async () => {
    const root = folder()
    const surveys = [
      { id: 'broken', isReadable: false },
      { id: 'quick', missing: 1 },
      { id: 'stopped', partial: true },
    ]
    expect(await surveyOf(catalogOf(root, surveys), [root])).toBe('quick')
  })

  test('is found for a folder that is reached by a link', async () => {
    const root = folder()
    const link = join(folder(), 'link')
    symlinkSync(root, link)
    expect(await surveyOf(catalogOf(root, [{ id: 'one' }]), [link])).toBe('one')
  })

  test('is asked for where there is none', async () => {
    const root = folder()
    await expect(surveyOf(catalogOf('/elsewhere', [{ id: 'one' }]), [root])).rejects.toThrow(
      `no survey of ${root} in the catalog: "stowage survey" makes one`,
    )
  })
})
