/**
 * Records what jobs of seven kinds report while they run, for tests/unit/engine/jobs/recordedRuns.test.ts. After building
 * (node scripts/bootstrap.mjs test):
 *   node tests/bench/speed/recordProgress.ts [--bytes 3e9] [--place DIR] [--out FILE]
 * With STOWAGE_CPU=portable recovery data takes as long as on a slow machine.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { recordJobs } from '../../support/recordedUpdates.ts'
import { withBundle } from '../accuracy/bundled.ts'

const { values: given } = parseArgs({
  options: {
    bytes: { type: 'string', default: '3e9' },
    place: { type: 'string', default: tmpdir() },
    out: {
      type: 'string',
      default: join(import.meta.dirname, '../../fixtures/recordings/jobUpdates.json.gz'),
    },
  },
})

const folder = mkdtempSync(join(given.place, 'stowage-recording-'))
try {
  await withBundle('../../support/recordedUpdates.ts', async (module: { recordJobs: typeof recordJobs }) => {
    const runs = await module.recordJobs(folder, Number(given.bytes))
    for (const { name, tookMs, updates } of runs)
      console.log(`${name.padEnd(20)} ${(tookMs / 1000).toFixed(1)} s, ${updates.length} updates`)
    writeFileSync(given.out, gzipSync(JSON.stringify(runs), { level: 9 }))
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
