import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { contentsOf, foreignFolder, killedOnce, SMALL_SPEC } from '../support/killedMeasurement'
import { measuringPlace } from '../support/measuringPlace'
import { smallDisk } from '../support/smallDisk'

const place = measuringPlace()

describe('stowage measure leaves the disk as it was', () => {
  it('reads what is there and writes nothing when asked to', async () => {
    foreignFolder(place.target)
    const before = contentsOf(place.target)
    const document = await place.measured('--read-only', '--budget', '80kB')
    expect(document).toMatchObject({ readOnly: true, writtenBytes: 0, write: null })
    expect(document.readBytes).toBeLessThanOrEqual(80_000)
    expect(document.read?.samples).toBeGreaterThanOrEqual(1)
    expect(contentsOf(place.target)).toEqual(before)
  })

  it('leaves nothing behind after being killed, and touches nothing else', { tags: 'long' }, async () => {
    foreignFolder(place.target)
    const before = contentsOf(place.target)
    const random = seededRandom(7)
    const spec = place.specFile(SMALL_SPEC)
    for (let kill = 0; kill < 4; kill++) {
      expect((await killedOnce(place.target, place.home, spec, random, 400)).after).toEqual(before)
    }
  })

  it('keeps what it has when it is stopped', async () => {
    const spec = place.specFile('tests: [{sizes: [{size: 1MB, count: 30}], repeat: 1000}]')
    const { code, stdout, stderr } = await stowage(
      ['measure', place.target, '--spec', spec, '--budget', '20GB'],
      {
        home: place.home,
        onStart: (kill) => {
          const timer = setInterval(() => {
            const made = readdirSync(place.target, { recursive: true }).map(String)
            // When the third file is there, the first has been written.
            if (made.filter((name) => name.endsWith('.timed')).length < 3) return
            clearInterval(timer)
            kill('SIGINT')
          }, 5)
          timer.unref()
        },
      },
    )
    expect(code, stderr).toBe(130)
    expect(stdout).toMatch(/stopped early/)
    expect(readdirSync(place.target)).toEqual([])
  })

  it('stops with what it has when a small file system is full', async (context) => {
    const disk = smallDisk(place.folder, 48)
    if (typeof disk === 'string') return context.skip(disk)
    try {
      const spec = 'tests: [{sizes: [{size: 1MB, count: 60}], operations: [write]}]\n'
      const refused = await stowage(['measure', disk.path, '--spec', place.specFile(spec)], {
        home: place.home,
      })
      expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/must stay free/)])
      expect(readdirSync(disk.path)).toEqual(['lost+found'])
      // With leave to fill it to the last block, of which the folder of the measurement itself then takes one.
      const count = Math.floor(disk.free / 2 ** 20) - 1
      const sizes = `[{size: 1MiB, count: ${count}}, ${disk.free - count * 2 ** 20}]`
      const brim = place.specFile(
        `keepFree: 0\ntests: [{sizes: ${sizes}, order: listed, operations: [write]}]\n`,
      )
      const end = await stowage(['measure', disk.path, '--spec', brim, '--json'], { home: place.home })
      expect([end.code, end.stderr]).toEqual([4, expect.stringMatching(/no-space/)])
      const document = place.documentOf(end)
      expect(document).toMatchObject({ partial: true, error: { code: 'no-space' } })
      expect(document.samples.length).toBe(count)
      expect(document.warnings.map(({ code }) => code)).toContain('shortOfSpace')
      expect(readdirSync(disk.path)).toEqual(['lost+found'])
    } finally {
      disk.unmount()
    }
  })
})
