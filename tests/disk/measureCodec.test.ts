import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'
import { measuringPlace } from '../support/measuringPlace'

const place = measuringPlace()
const TEST = ['--size', '500KB-2MB', '--count', '6']

describe('stowage measure --codec', () => {
  it('reads, compresses and writes files, next to what the disk does alone', async () => {
    const csv = join(place.folder, 'samples.csv')
    const document = await place.measured(...TEST, '--codec', 'zstd-3', '--csv', csv)
    expect(readdirSync(place.target)).toEqual([])
    expect(document.tests.map(({ op, samples }) => [op, samples])).toEqual([
      ['write', 6],
      ['read', 6],
      ['compress', 6],
    ])
    expect(document.spec).toMatchObject({
      codec: 'zstd-3',
      tests: [{ operations: ['write', 'read', 'compress'] }],
    })
    expect(document.compress?.bytesPerSecond?.provenance).toBe('measured')
    const { bytes = 0, storedBytes = 0 } = document.compressed ?? {}
    expect(storedBytes / bytes).toBeGreaterThan(0.15)
    expect(storedBytes / bytes).toBeLessThan(0.5)
    const of = (op: string): number =>
      document.samples.filter((each) => each.op === op).reduce((sum, each) => sum + each.bytes, 0)
    expect(of('compress')).toBe(bytes)
    expect(document.readBytes).toBe(of('read') + bytes)
    expect(document.writtenBytes).toBe(of('write') + bytes + storedBytes)
    expect(readFileSync(csv, 'utf8').match(/,compress,/g)).toHaveLength(6)
    const shown = await stowage(['measure', '--show', document.id], { home: place.home })
    const text = shown.stdout.replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/Read, compress, write [\d.]+ [kMG]B\/s/)
    expect(text).toMatch(
      /zstd-3 stored [\d.]+ MB of [\d.]+ MB \([\d.]+ %\) ■; [\d.]+ % of the rate of reading/,
    )
    const again = await place.measured('--again', document.id, '--codec', 'lz4')
    expect(again.spec).toMatchObject({ codec: 'lz4', tests: document.spec.tests })
    expect(again.compressed?.bytes).toBe(bytes)
    expect(again.compressed?.storedBytes).toBeGreaterThan(storedBytes)
  })

  it('keeps to a budget, what is compressed included', { tags: 'long' }, async () => {
    const document = await place.measured('--codec', 'gzip-1', '--budget', '30MB')
    expect(document.writtenBytes).toBeLessThanOrEqual(30e6)
    expect(document.compressed?.bytes).toBeGreaterThan(5e6)
  })

  it('keeps what it has when it is stopped, and leaves nothing', async () => {
    const args = ['measure', place.target, '--size', '1MB', '--count', '40', '--codec', 'zstd-19', '--json']
    const end = await stowage(args, {
      home: place.home,
      onStart: (kill) => {
        const timer = setInterval(() => {
          const made = readdirSync(place.target, { recursive: true }).map(String)
          if (!made.some((name) => name.endsWith('packed.timed'))) return
          clearInterval(timer)
          setTimeout(() => kill('SIGINT'), 100)
        }, 5)
        timer.unref()
      },
    })
    expect(end.code, end.stderr).toBe(130)
    expect(place.documentOf(end)).toMatchObject({ partial: true, write: { samples: 40 } })
    expect(readdirSync(place.target)).toEqual([])
  })

  it.each([
    ['a codec that no stream here makes', [...TEST, '--codec', 'lzma2-9'], /--codec takes one of gzip-1/],
    [
      'a container',
      [...TEST, '--in', 'udsb', '--codec', 'lz4'],
      /on the disk itself only: leave out --codec/,
    ],
    ['only reading', ['--read-only', '--codec', 'lz4'], /leave out --read-only or --codec/],
    [
      'tests that read nothing',
      ['--preset', 'sustained', '--codec', 'lz4'],
      /no test of "Sustained" reads its files/,
    ],
  ])('refuses %s in one line', async (_what, args, line) => {
    const end = await stowage(['measure', place.target, ...args], { home: place.home })
    expect(end.stderr).toMatch(line)
    expect([end.code, end.stdout, end.stderr.trimEnd().split('\n').length]).toEqual([2, '', 1])
    expect(readdirSync(place.target)).toEqual([])
  })
})
