import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AppError } from '../../src/primitives/appError'
import { BUILT, type BuildPlace, buildPlace, writeNoise } from '../support/builtOption'

let place: BuildPlace
beforeEach(() => {
  place = buildPlace()
})
afterEach(() => place.dispose())

/** Programs that this process has started and not seen the end of. */
function children(): string[] {
  const lists = readdirSync('/proc/self/task').map((task) => {
    try {
      return readFileSync(`/proc/self/task/${task}/children`, 'latin1')
    } catch {
      // A thread that ended meanwhile.
      return ''
    }
  })
  return lists.join(' ').split(' ').filter(Boolean)
}

test.each([...BUILT, 'borg-1-lz4', 'restic-auto'])(
  'a build of %s ends within 200 ms of a cancel, with its programs',
  async (variant) => {
    writeNoise(place.source, 'noise', 6_000_000)
    for (let file = 0; file < 40; file++) writeNoise(place.source, `noise ${file}`, 20_000, file + 2)
    const before = children()
    for (const afterMs of [5, 80]) {
      const stop = new AbortController()
      let stoppedMs = 0
      const timer = setTimeout(() => {
        stoppedMs = performance.now()
        stop.abort()
      }, afterMs)
      const code = await place.build(variant, { signal: stop.signal }).then(
        () => 'done',
        (thrown: unknown) => (thrown as AppError).code,
      )
      const tookMs = stoppedMs === 0 ? 0 : performance.now() - stoppedMs
      clearTimeout(timer)
      // Some are done before they can be cancelled, or are so nearly: whoever asked for the build looks at the signal again.
      expect(['cancelled', 'done']).toContain(code)
      expect(tookMs).toBeLessThan(200)
      expect(children()).toEqual(before)
    }
  },
)
