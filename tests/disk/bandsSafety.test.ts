import { execFileSync } from 'node:child_process'
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Emit } from '../../src/contract/defineSchema'
import { type BandSweepLive, bandSweepRequestSchema } from '../../src/contract/dto/bands'
import type { JobEnd } from '../../src/contract/dto/job'
import type { EngineSchema } from '../../src/contract/engineSchema'
import { createEngine, type Engine } from '../../src/engine/engine'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { contentsOf, foreignFolder } from '../support/killedMeasurement'
import { measuringPlace } from '../support/measuringPlace'
import { smallDisk } from '../support/smallDisk'

const place = measuringPlace()
const SMALL = ['--sizes', '1MiB,2MiB', '--full-size', '10GB']
/** Long enough to be stopped anywhere in it. */
const LONG = ['--sizes', '1MiB,2MiB', '--kinds', 'UDSB,UDSP', '--encrypt', 'none,256', '--budget', '4GB']

describe('stowage bands leaves the disk as it was', () => {
  it('leaves nothing when it is stopped before it has three rounds', async () => {
    // Its first round has begun when its folder is there.
    const watcher = watch(place.target)
    const end = await stowage(['bands', place.target, '--json', ...LONG], {
      home: place.home,
      onStart: (kill) => void watcher.once('change', () => kill('SIGINT')),
    })
    watcher.close()
    expect([end.code, end.stdout]).toEqual([130, ''])
    expect(readdirSync(place.target)).toEqual([])
  })

  it('keeps whole rounds when it is stopped after some', { tags: 'long' }, async () => {
    const ends: JobEnd[] = []
    const emit: Emit<EngineSchema> = (group: string, name: string, payload: unknown) => {
      const { jobId, roundsDone } = payload as BandSweepLive
      if (group === 'bands' && name === 'live' && roundsDone >= 3) void engine.handlers.job.cancel({ jobId })
      if (name === 'ended') ends.push(payload as JobEnd)
    }
    const engine: Engine = createEngine({ dataDir: place.home, emit })
    try {
      const asked = { directory: place.target, bandSizes: [2 ** 20], repeats: 25, budgetBytes: 1e9 }
      await engine.handlers.bands.start(bandSweepRequestSchema.parse(asked))
      await expect.poll(() => ends).toHaveLength(1)
      expect(ends[0]).toMatchObject({
        kind: 'bands',
        outcome: 'cancelled',
        resultId: expect.stringMatching(/^b-/),
      })
      expect(readdirSync(place.target)).toEqual([])
      const document = await engine.handlers.bands.get({ sweepId: ends[0]?.resultId ?? '' })
      expect(document).toMatchObject({ partial: true, error: null })
      expect(document.repeats).toBeGreaterThanOrEqual(3)
      expect(document.repeats).toBeLessThan(25)
      expect(document.warnings.map(({ code }) => code)).toContain('cancelled')
    } finally {
      await engine.close()
    }
  })

  it('leaves nothing behind after being killed, and touches nothing else', { tags: 'long' }, async () => {
    foreignFolder(place.target)
    const before = contentsOf(place.target)
    const random = seededRandom(21)
    for (let kill = 0; kill < 3; kill++) {
      const afterMs = Math.round(random.unit() * 400)
      let isArmed = false
      await stowage(['bands', place.target, ...LONG], {
        home: place.home,
        onStderr: (_text, end) => {
          if (!isArmed) setTimeout(() => end('SIGKILL'), afterMs)
          isArmed = true
        },
      })
      await stowage(['bands', '--list'], { home: place.home })
      expect(contentsOf(place.target)).toEqual(before)
    }
  })

  it('is refused where it would not fit, and stops cleanly when others fill the disk', async (context) => {
    const disk = smallDisk(place.folder, 64)
    if (typeof disk === 'string') return context.skip(disk)
    try {
      const refused = await stowage(['bands', disk.path, ...SMALL, '--budget', '4GB'], { home: place.home })
      expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/must stay free/)])
      // Another program takes what is left once the sweep has begun: its folder is there.
      const watcher = watch(disk.path)
      watcher.once('change', () => execFileSync('fallocate', ['-l', '44M', join(disk.path, 'other')]))
      const ended = await stowage(['bands', disk.path, ...SMALL, '--repeats', '25', '--budget', '700MB'], {
        home: place.home,
      })
      watcher.close()
      expect([ended.code, ended.stderr]).toEqual([4, expect.stringMatching(/more would leave less than/)])
      expect(readdirSync(disk.path).toSorted()).toEqual(['lost+found', 'other'])
    } finally {
      disk.unmount()
    }
  })
})
