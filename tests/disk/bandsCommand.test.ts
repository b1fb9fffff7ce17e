import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BandSweepDocument, bandSweepDocumentSchema } from '../../src/contract/dto/bands'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { contentsOf, foreignFolder } from '../support/killedMeasurement'
import { measuringPlace } from '../support/measuringPlace'

const place = measuringPlace()
const SMALL = ['--sizes', '1MiB,2MiB', '--budget', '90MB', '--full-size', '10GB']

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
  it('times every point and the raw file in every round, and leaves no files', { tags: 'long' }, async () => {
    foreignFolder(place.target)
    const before = contentsOf(place.target)
    const document = await swept(
      '--sizes=1MiB',
      '--kinds=UDSB,UDSP,UDRW',
      '--encrypt=256,none',
      '--full-size=10GB',
      '--budget=200MB',
    )
    expect(contentsOf(place.target)).toEqual(before)
    expect(document).toMatchObject({ partial: false, error: null, repeats: 3, flush: 'end' })
    expect(document.reference).toMatchObject({ kind: 'UDRW', encryption: null, bandSize: null, bands: null })
    expect(
      document.points.map(({ kind, encryption, bandSize, bands }) => [kind, encryption, bandSize, bands]),
    ).toEqual([
      ['UDSB', 256, 2 ** 20, 9537],
      ['UDSP', 256, 2 ** 20, 9537],
      ['UDRW', 256, null, null],
      ['UDSB', null, 2 ** 20, 9537],
      ['UDSP', null, 2 ** 20, 9537],
    ])
    for (const point of [document.reference, ...document.points]) {
      for (const rate of [point.write, point.read, point.stream]) {
        expect(rate?.repeats).toBe(3)
        expect(rate?.low).toBeLessThanOrEqual(rate?.value as number)
        expect(rate?.high).toBeGreaterThanOrEqual(rate?.value as number)
      }
    }
    expect(document.reference.ofReference.read).toEqual({ value: 1, low: 1, high: 1 })
    expect(document.samples).toHaveLength(3 * 3 * 6)
    const { passBytes, writtenBytes, cache } = document
    expect(writtenBytes).toBe(2 * passBytes * (3 * 6 + 1))
    // What was written had to be forgotten twice: before reading and before copying.
    expect(cache.droppedBytes).toBeGreaterThanOrEqual(writtenBytes)
    expect(cache.residentBytes).toBeLessThanOrEqual(0.01 * cache.droppedBytes)
    expect(document.recommended).toMatchObject({
      encryption: 256,
      rule: { limit: 100_000, from: 3000, to: 10_000 },
    })
    expect(document.recommended.because).toMatch(/When full \(10\.0 GB\) it has \d,\d{3} bands/)
    expect(document.recommended.asFast).toContain(document.recommended.bandSize)
  })

  it('announces what it writes, prints a table and the commands for a Mac, and is stored', async () => {
    const csv = join(place.folder, 'passes.csv')
    const { code, stdout, stderr } = await stowage(
      ['bands', place.target, ...SMALL, '--encrypt', '128', '--show-mac-commands', '--csv', csv],
      { home: place.home },
    )
    expect(code, stderr).toBe(0)
    const announced = stderr.replaceAll(/\s+/g, ' ')
    expect(announced).toMatch(
      /^writes [678]\d\.\d MB to .*in its own folder, which is removed at the end, and reads /,
    )
    expect(announced).toMatch(/3 combinations \(with a raw file as reference\), 3 rounds in random order/)
    expect(stdout).toMatch(/raw file +[\d.]+ [MkG]B\/s [\d.]+–[\d.]+/)
    expect(stdout).toMatch(/UDSB 1 MiB AES-128( ←)? +9,537 +[\d.]+ [MkG]B\/s/)
    expect(stdout.match(/ ←/g)).toHaveLength(1)
    expect(stdout).toMatch(/Recommended: bands of [12] MiB/)
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/Expected here: write .* ● measured/)
    expect(stdout).toMatch(/Cache: .* dropped before reading/)
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

  it.each([
    ['a folder that is not there', ['/nowhere/at all'], 2, /no such file or folder/],
    ['a budget below the least', ['/tmp', '--budget', '10MB'], 4, /13 points, .* need at least 336 MB/],
    ['bands below 1 MiB', ['/tmp', '--sizes', '64KiB'], 2, /a band has at least 1 MiB/],
    ['no size', ['/tmp', '--sizes', '8 apples'], 2, /not a size: "8 apples"/],
    ['another container', ['/tmp', '--kinds', 'ISO'], 2, /no container "ISO": one of UDSB, UDSP, UDRW/],
    ['another cipher', ['/tmp', '--encrypt', '192'], 2, /--encrypt takes 128, 256 and none, not "192"/],
    ['too few repeats', ['/tmp', '--repeats', '2'], 2, /at least 3 repeats are needed for a range/],
    ['no sweep', ['--show', 'b-1'], 2, /no band sweep b-1/],
  ])('answers %s with one line and the right exit code', async (_what, args, code, line) => {
    const end = await stowage(['bands', ...args], { home: place.home })
    expect(end.stderr).toMatch(line)
    expect([end.code, end.stdout, end.stderr.trimEnd().split('\n').length]).toEqual([code, '', 1])
  })

  it('refuses to test mounted images, which no Mac has run', async () => {
    const end = await stowage(['bands', place.target, ...SMALL, '--mounted'], { home: place.home })
    expect([end.code, end.stderr]).toEqual([7, expect.stringMatching(/mounted images are removed/)])
  })
})
