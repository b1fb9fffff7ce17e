import { afterAll, afterEach, expect } from 'vitest'
import { leaveReached } from './reach.mjs'

// A set-up file of Vitest: it runs once for each test file, before that is loaded.
const reached = new Set()
globalThis.stowageReached = reached
const began = performance.now()
let isPassed = true

afterEach(({ task }) => {
  if (task.result?.state === 'fail') isPassed = false
})

afterAll(() => {
  leaveReached({
    test: expect.getState().testPath,
    ms: performance.now() - began,
    isPassed,
    places: [...reached],
  })
})
