import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Emit } from '../../src/contract/defineSchema'
import {
  type BandSweepDocument,
  type BandSweepLive,
  bandSweepDocumentSchema,
  bandSweepRequestSchema,
} from '../../src/contract/dto/bands'
import type { JobEnd } from '../../src/contract/dto/job'
import type { EngineSchema } from '../../src/contract/engineSchema'
import { createEngine, type Engine } from '../../src/engine/engine'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { contentsOf, foreignFolder } from '../support/killedMeasurement'
import { measuringPlace } from '../support/measuringPlace'
import { smallDisk } from '../support/smallDisk'

const place = measuringPlace()
const SMALL = ['--sizes', '1MiB,2MiB', '--budget', '90MB', '--full-size', '10GB']
/** Long enough to be stopped anywhere in it. */
const LONG = ['--sizes', '1MiB,2MiB', '--kinds', 'UDSB,UDSP', '--encrypt', 'none,256', '--budget', '4GB']

function sweepOf({ stdout }: CommandEnd): BandSweepDocument {
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  return bandSweepDocumentSchema.parse(JSON.parse(stdout))
}

async function swept(...args: string[]): Promise<BandSweepDocument> {
  const end = await stowage(['bands', place.target, '--json', ...args], { home: place.home })
  expect(end.code, end.stderr).toBe(0)
  return sweepOf(end)
}

describe('stowage bands', () => {
  it('times every point in every round beside the raw file, and leaves nothing', async () => {
    foreignFolder(place.target)
    const before = contentsOf(place.target)
    const document = await swept(
      ...SMALL,
      '--kinds',
      'UDSB,UDSP,UDRW',
      '--encrypt',
      '256,none',
      '--budget',
      '300MB',
    )
    expect(contentsOf(place.target)).toEqual(before)
    expect(document).toMatchObject({ partial: false, error: null, repeats: 3, flush: 'end' })
    expect(document.reference).toMatchObject({ kind: 'UDRW', encryption: null, bandSize: null, bands: null })
    expect(
      document.points.map(({ kind, encryption, bandSize, bands }) => [kind, encryption, bandSize, bands]),
    ).toEqual([
      ['UDSB', 256, 2 ** 20, 9537],
      ['UDSB', 256, 2 ** 21, 4769],
      ['UDSP', 256, 2 ** 20, 9537],
      ['UDSP', 256, 2 ** 21, 4769],
      ['UDRW', 256, null, null],
      ['UDSB', null, 2 ** 20, 9537],
      ['UDSB', null, 2 ** 21, 4769],
      ['UDSP', null, 2 ** 20, 9537],
      ['UDSP', null, 2 ** 21, 4769],
    ])
    for (const point of [document.reference, ...document.points]) {
      for (const rate of [point.write, point.read, point.stream]) {
        expect(rate?.repeats).toBe(3)
        expect(rate?.low).toBeLessThanOrEqual(rate?.value ?? 0)
        expect(rate?.high).toBeGreaterThanOrEqual(rate?.value ?? 0)
      }
    }
    expect(document.reference.ofReference.read).toEqual({ value: 1, low: 1, high: 1 })
    expect(document.samples).toHaveLength(3 * 3 * 10)
    const { passBytes, writtenBytes, cache } = document
    expect(writtenBytes).toBe(2 * passBytes * (3 * 10 + 1))
    // What was written had to be forgotten twice: before reading and before copying.
    expect(cache.droppedBytes).toBeGreaterThanOrEqual(writtenBytes)
    expect(cache.residentBytes ?? 0).toBeLessThanOrEqual(0.01 * cache.droppedBytes)
    expect(document.recommended).toMatchObject({
      encryption: 256,
      rule: { limit: 100_000, from: 3000, to: 10_000 },
    })
    expect(document.recommended.because).toMatch(/ at 10\.0 GB it has \d,\d{3} bands/)
    expect(document.recommended.asFast).toContain(document.recommended.bandSize)
  })

  it('says beforehand what it writes, reads like a table, shows commands for a Mac, and is kept', async () => {
    const csv = join(place.folder, 'passes.csv')
    const { code, stdout, stderr } = await stowage(
      ['bands', place.target, ...SMALL, '--encrypt', '128', '--show-mac-commands', '--csv', csv],
      { home: place.home },
    )
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(
      /^writes [678]\d\.\d MB to .*in a folder of its own that is removed again, and reads /,
    )
    expect(stderr).toMatch(/3 points \(the raw file is the reference\), 3 rounds in random order/)
    expect(stdout).toMatch(/raw file +[\d.]+ [MkG]B\/s [\d.]+–[\d.]+/)
    expect(stdout).toMatch(/UDSB 1 MiB AES-128( ←)? +9,537 +[\d.]+ [MkG]B\/s/)
    expect(stdout).toMatch(/Recommended: bands of [12] MiB/)
    expect(stdout).toMatch(/Expect here: write .* ● measured/)
    expect(stdout).toMatch(/Cache: .* told to be forgotten before reading/)
    expect(stdout).toMatch(
      /hdiutil create -size 19531250b -type SPARSEBUNDLE -fs APFS -volname Archive -imagekey sparse-band-size=(2048|4096) -encryption AES-128 -stdinpass -plist Archive\.sparsebundle/,
    )
    const rows = readFileSync(csv, 'utf8').trimEnd().split('\r\n')
    expect(rows).toHaveLength(1 + 3 * 3 * 3)
    expect(
      rows
        .slice(1)
        .every((row) => /^(UDSB,128,\d+,\d+|UDRW,,,),\d,(write|read|stream),\d+,\d+,\d+$/.test(row)),
    ).toBe(true)
    const listed = await stowage(['bands', '--list', '--json'], { home: place.home })
    const [item] = JSON.parse(listed.stdout).sweeps
    const shown = await stowage(['bands', '--show', item.id, '--json'], { home: place.home })
    expect(sweepOf(shown).id).toBe(item.id)
  })

  it('leaves nothing when it is stopped before it has three rounds', async () => {
    const end = await stowage(['bands', place.target, '--json', ...LONG], {
      home: place.home,
      onStderr: (text, kill) => {
        if (text.startsWith('writes')) setTimeout(() => kill('SIGINT'), 60)
      },
    })
    expect([end.code, end.stdout]).toEqual([130, ''])
    expect(readdirSync(place.target)).toEqual([])
  })

  it('keeps whole rounds when it is stopped after some', async () => {
    const ends: JobEnd[] = []
    let told: BandSweepLive | null = null
    const engine: Engine = createEngine({
      dataDir: place.home,
      emit: ((group: string, name: string, payload: unknown) => {
        if (group === 'bands' && name === 'live') {
          told = payload as BandSweepLive
          if (told.roundsDone >= 3) void engine.handlers.job.cancel({ jobId: told.jobId })
        }
        if (name === 'ended') ends.push(payload as JobEnd)
      }) as Emit<EngineSchema>,
    })
    try {
      const asked = { directory: place.target, bandSizes: [2 ** 20], repeats: 25, budgetBytes: 3e9 }
      await engine.handlers.bands.start(bandSweepRequestSchema.parse(asked))
      await expect.poll(() => ends, { timeout: 20_000 }).toHaveLength(1)
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

  it('leaves nothing behind after being killed, and touches nothing else', async () => {
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
      expect([refused.code, refused.stderr]).toEqual([
        4,
        expect.stringMatching(/must stay free.*\[no-space\]/),
      ])
      const ended = await stowage(['bands', disk.path, ...SMALL, '--repeats', '25', '--budget', '700MB'], {
        home: place.home,
        onStderr: (text) => {
          // Another program takes what is left once the sweep has begun.
          if (text.startsWith('writes')) execFileSync('fallocate', ['-l', '44M', join(disk.path, 'other')])
        },
      })
      expect([ended.code, ended.stderr]).toEqual([4, expect.stringMatching(/\[no-space\]/)])
      expect(readdirSync(disk.path).toSorted()).toEqual(['lost+found', 'other'])
    } finally {
      disk.unmount()
    }
  })

  it.each([
    ['a folder that is not there', ['/nowhere/at all'], 2, /no such file or folder.*\[not-found\]/],
    [
      'a budget below the least',
      ['/tmp', '--budget', '10MB'],
      4,
      /13 points, .* need 336 MB at the least.*\[cannot-fit\]/,
    ],
    ['bands below 1 MiB', ['/tmp', '--sizes', '64KiB'], 2, /a band has at least 1 MiB.*\[usage\]/],
    ['no size', ['/tmp', '--sizes', '8 apples'], 2, /not a size: "8 apples".*\[usage\]/],
    ['another container', ['/tmp', '--kinds', 'ISO'], 2, /no container "ISO" to time: UDSB, UDSP, UDRW/],
    ['another cipher', ['/tmp', '--encrypt', '192'], 2, /--encrypt takes 128, 256 and none, not "192"/],
    ['too few repeats', ['/tmp', '--repeats', '2'], 2, /below 3 repeats there is no range/],
    ['no sweep', ['--show', 'b-1'], 2, /no band sweep b-1.*\[not-found\]/],
  ])('answers %s with one line and the right exit code', async (_what, args, code, line) => {
    const end = await stowage(['bands', ...args], { home: place.home })
    expect(end.stderr).toMatch(line)
    expect([end.code, end.stdout, end.stderr.trimEnd().split('\n').length]).toEqual([code, '', 1])
  })

  it('says elsewhere that only a Mac mounts its own images', async (context) => {
    if (process.platform === 'darwin') context.skip('this is a Mac')
    const end = await stowage(['bands', place.target, ...SMALL, '--mounted'], { home: place.home })
    expect([end.code, end.stderr]).toEqual([5, expect.stringMatching(/only macOS .*\[tool-missing\]/)])
  })
})
