import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OptionsDocument } from '../../src/contract/dto/options'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { contentsOf, foreignFolder, killedOnce } from '../support/killedMeasurement'
import { measuringPlace } from '../support/measuringPlace'
import { mostlyLong } from '../support/mostlyLong'

const place = measuringPlace()

const SPEC = `
name: Small
tests:
  - sizes: {from: 64KiB, to: 2MB, count: 12, total: 8MB}
  - name: Places
    sizes: [4MiB]
    operations: [write, randomWrite, randomRead]
    accesses: 40
`

describe('stowage measure --in', () => {
  mostlyLong(
    it,
    [
      ['udsb:256', 'UDSB', 256, 8 * 2 ** 20],
      ['udsp', 'UDSP', null, 2 ** 20],
      ['udrw:128', 'UDRW', 128, null],
    ],
    ([asked]) => asked === 'udrw:128',
  )(
    'measures a container that is new, and the same one rewritten: %s',
    async (asked, kind, encryption, bandSize) => {
      foreignFolder(place.target)
      const before = contentsOf(place.target)
      const csv = join(place.folder, 'samples.csv')
      const document = await place.measured('--spec', place.specFile(SPEC), '--in', asked, '--csv', csv)
      expect(contentsOf(place.target)).toEqual(before)
      const { container } = document
      expect(container).toMatchObject({ kind, encryption, bandSize })
      const counts = [
        [0, 'write', 12],
        [0, 'read', 12],
        [1, 'write', 1],
        [1, 'randomRead', 40],
        [1, 'randomWrite', 40],
      ]
      for (const tests of [document.tests, container?.rewritten.tests])
        expect(tests?.map(({ test, op, samples }) => [test, op, samples])).toEqual(counts)
      for (const figures of [document, container?.rewritten])
        expect(figures?.write?.bytesPerSecond?.provenance).toBe('measured')
      expect(document.spec.flush).toBe('each')
      // What is random cannot shrink, and a container has little of its own: bands, and the room of a cipher's header.
      for (const { diskBytes, freshBytes, rewrittenBytes } of container?.occupied ?? []) {
        expect(diskBytes % 4096).toBe(0)
        for (const bytes of [freshBytes, rewrittenBytes ?? 0]) {
          expect(bytes).toBeGreaterThanOrEqual(diskBytes)
          expect(bytes).toBeLessThan(diskBytes + 2.5 * 2 ** 20)
        }
      }
      expect(container?.occupied.map(({ test }) => test)).toEqual([0, 1])
      const written = 2 * (8_000_000 + 4 * 2 ** 20 + 40 * 4096)
      expect(document.writtenBytes).toBeGreaterThanOrEqual(written)
      expect(document.writtenBytes).toBeLessThan(written + 2 * 12 * 4096)
      const rows = readFileSync(csv, 'utf8').trimEnd().split('\r\n')
      expect(rows).toHaveLength(1 + 2 * document.samples.length)
      expect([rows[0], rows.at(-1)]).toEqual([
        expect.stringMatching(/,mark,state$/),
        expect.stringMatching(/,rewritten$/),
      ])
    },
  )

  it('gives the options their figures for that kind and encryption, and no others', {
    tags: 'long',
  }, async () => {
    const source = join(place.folder, 'source')
    mkdirSync(source)
    const content = new Uint8Array(200_000)
    seededRandom(3).fillBytes(content)
    writeFileSync(join(source, 'a.bin'), content)
    const { home } = place
    const { id, cache } = await place.measured('--spec', place.specFile(SPEC), '--in', 'udsb')
    const refused = await stowage(['options', source, '--profile', id], { home })
    const surveyed = await stowage(['survey', source], { home })
    expect(surveyed.code, surveyed.stderr).toBe(0)
    const listed = await stowage(['options', source, '--json'], { home })
    const { options, target } = JSON.parse(listed.stdout) as OptionsDocument
    const basisOf = (name: string): string =>
      options.find((option) => option.id === name)?.estimate.buildSeconds.basis ?? ''
    expect(target.measurementId).toBeNull()
    expect(basisOf('udsp@disk')).toContain('published tests')
    // Where the device did not answer, nothing may rest on the run.
    if (cache.plausible)
      expect(basisOf('udsb@disk')).toContain(
        `measurement ${id} inside a container on this disk: UDSB, bands of 8 MiB`,
      )
    else expect(basisOf('udsb@disk')).toContain('published tests')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/inside a container \(UDSB/)])
    const shown = await stowage(['measure', '--show', id], { home })
    const text = shown.stdout.replaceAll(/\s+/g, ' ')
    expect(text).toContain(
      'Each file is a range of the container, so the cost of a file system is not included.',
    )
    expect(text).toMatch(
      /Occupied by "Places": 4\.\d+ MB for ranges of 4\.19 MB, 4\.\d+ MB after writing them again ■/,
    )
    expect(text).toMatch(/Write again: [\d.]+ [MG]B\/s/)
  })

  it('leaves nothing behind after being killed, and touches nothing else', { tags: 'long' }, async () => {
    foreignFolder(place.target)
    const before = contentsOf(place.target)
    const random = seededRandom(17)
    const spec = place.specFile(SPEC)
    for (const kind of ['udsb:256', 'udsp', 'udrw'])
      expect((await killedOnce(place.target, place.home, spec, random, 300, ['--in', kind])).after).toEqual(
        before,
      )
  })

  it('keeps what it has when it is stopped', async () => {
    const spec = place.specFile('tests: [{sizes: [{size: 1MB, count: 30}], repeat: 1000}]')
    const args = ['measure', place.target, '--spec', spec, '--in', 'udsb', '--budget', '20GB', '--json']
    const end = await stowage(args, {
      home: place.home,
      onStart: (kill) => {
        const timer = setInterval(() => {
          const made = readdirSync(place.target, { recursive: true }).map(String)
          if (!made.some((name) => name.endsWith('bands/0') || name.endsWith('bands/1'))) return
          clearInterval(timer)
          setTimeout(() => kill('SIGINT'), 100)
        }, 5)
        timer.unref()
      },
    })
    expect(end.code, end.stderr).toBe(130)
    expect(place.documentOf(end)).toMatchObject({ partial: true, container: { kind: 'UDSB' } })
    expect(readdirSync(place.target)).toEqual([])
  })

  it.each([
    ['a kind that cannot be measured', ['--in', 'vhd'], /--in takes udsb, udrw, udsp or all/],
    ['a key of no known length', ['--in', 'udsb:64'], /and :128 or :256 after it, not "udsb:64"/],
    [
      'reading and writing at once',
      ['--in', 'udsb', '--preset', 'streaming'],
      /timed by "stowage bands" there/,
    ],
    ['the page cache', ['--in', 'udsb', '--buffered'], /buffered I\/O is measured on the disk itself only/],
    ['only reading', ['--in', 'udsb', '--read-only'], /nothing to read yet: leave out --read-only or --in/],
  ])('refuses %s in one line', async (_what, args, line) => {
    const end = await stowage(['measure', place.target, ...args], { home: place.home })
    expect(end.stderr).toMatch(line)
    expect([end.code, end.stdout, end.stderr.trimEnd().split('\n').length]).toEqual([2, '', 1])
    expect(readdirSync(place.target)).toEqual([])
  })
})
