import { describe, expect, it } from 'vitest'
import { compareStates, type NamedContent } from '../../../../../src/domain/sets/growing/growth'

const file = (path: string, sha256: string, bytes = 10): NamedContent => ({ path, sha256, bytes })
const NONE = { files: 0, bytes: 0 }

describe('two states of a source', () => {
  it('are compared name by name, each name once', () => {
    const before = [file('same', 'a'), file('edited', 'b'), file('old name', 'c'), file('gone', 'd', 7)]
    const now = [
      file('same', 'a'),
      file('edited', 'b2', 11),
      file('new name', 'c'),
      file('copy of same', 'a'),
      file('added', 'e', 3),
    ]
    expect(compareStates(before, now)).toEqual({
      unchanged: { files: 1, bytes: 10 },
      changed: { files: 1, bytes: 11 },
      moved: { files: 1, bytes: 10 },
      copied: { files: 1, bytes: 10 },
      new: { files: 1, bytes: 3 },
      deleted: { files: 1, bytes: 7 },
    })
  })

  it('count a file as moved once for each name that is gone', () => {
    const before = [file('1', 'a'), file('2', 'a')]
    const now = [file('3', 'a'), file('4', 'a'), file('5', 'a')]
    const { moved, copied, deleted } = compareStates(before, now)
    expect([moved.files, copied.files, deleted]).toEqual([2, 1, NONE])
  })

  it('are all new where nothing was before, and all deleted where nothing is left', () => {
    expect(compareStates([], [file('1', 'a')]).new).toEqual({ files: 1, bytes: 10 })
    expect(compareStates([file('1', 'a')], []).deleted).toEqual({ files: 1, bytes: 10 })
  })
})
