import { describe, expect, it } from 'vitest'
import { archivesOfSources } from '../../../renderer/src/steps/source/sameSources'

const archive = (id: string, ...paths: string[]) => ({
  id,
  sources: paths.map((path) => ({ name: path, path })),
})

describe('archives that keep given folders', () => {
  const archives = [
    archive('two', '/a', '/b'),
    archive('one', '/a'),
    archive('also', '/b', '/a'),
    archive('none'),
  ]

  it.each([
    [['/a'], ['one']],
    [
      ['/b', '/a'],
      ['two', 'also'],
    ],
    [['/a', '/b', '/c'], []],
    [['/c'], []],
    [[], []],
  ])('are those with exactly %j', (paths, ids) => {
    expect(archivesOfSources(archives, paths).map(({ id }) => id)).toEqual(ids)
  })
})
