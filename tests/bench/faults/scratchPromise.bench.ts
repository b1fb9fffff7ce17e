/**
 * The scratch that plans promise, against the worst place by the planner and 200 random ones on every disc, on plans of
 * different shapes. Each image is read by its PAR2 packets alone; on each disc the worst place and one beside it are
 * repaired, where that takes seconds. Run it after `npm run -s stowage -- --version` with
 * `vitest run --config tests/bench/speed/vitest.bench.config.ts scratchPromise`; `-t WORD` takes some.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { triedPromise } from '../../support/heldPromise'
import { ALL_SHAPES } from '../../support/scratchShapes'

const folder = mkdtempSync(join(tmpdir(), 'stowage-scratches-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000)

it.each(ALL_SHAPES)('$name', async (shape) => {
  const tried = await triedPromise(shape, join(folder, shape.name), { random: 200, repairs: 2 })
  const { discs, unprotected, promised, scratches, repairs } = tried
  process.stdout.write(
    `${shape.name}: ${discs} discs (${unprotected} unprotected), ${promised} sectors promised, ${scratches} scratches, ${repairs} repairs\n`,
  )
  expect(tried.broken).toEqual([])
})
