import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../support/archiveRun'
import { triedPromise } from '../support/heldPromise'
import { SMALL_SHAPES } from '../support/scratchShapes'

const folder = temporaryFolder('scratches')
afterAll(() => folder.dispose())

it.each(SMALL_SHAPES)(
  'the promised scratch is repairable wherever it lies: $name',
  { tags: 'long' },
  async (shape) => {
    const tried = await triedPromise(shape, join(folder.path, shape.name), { random: 200, repairs: 1 })
    expect(tried.broken).toEqual([])
    expect(tried.promised).toBeGreaterThan(0)
    expect(tried.scratches).toBeGreaterThanOrEqual(205)
    expect(tried.repairs).toBe(tried.discs)
  },
)
