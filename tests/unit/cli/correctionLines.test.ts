import { expect, it } from 'vitest'
import { correctionLines } from '../../../src/cli/commands/correctionLines'
import type { LookedFigure } from '../../../src/contract/dto/look'

function figure(of: LookedFigure['figure'], low: number, high: number, found: number): LookedFigure {
  return { figure: of, low, high, found, isWithin: low <= found && found <= high }
}

const codec = (name: string, low: number, high: number, found: number): LookedFigure =>
  figure({ kind: 'codec', codec: name }, low, high, found)

const plain = (lines: readonly string[]): string[] => lines.map((line) => line.replaceAll('\u00a0', ' '))

it('says what the estimate was and what the survey says, for figures outside their range', () => {
  const lines = correctionLines([
    figure({ kind: 'count', of: 'files' }, 301, 301, 302),
    codec('zstd-3', 3.1e9, 3.4e9, 3.6e9),
    codec('lz4', 4.1e9, 4.4e9, 4.2e9),
    figure({ kind: 'identical' }, 0, 20_000_000, 31_000_000),
  ])
  expect(plain(lines)).toEqual([
    'The preliminary count was 301 files; the survey says 302.',
    'The preliminary estimate of zstd-3 was 3.10 to 3.40 GB; the survey says 3.60 GB.',
    'The preliminary estimate of identical files was 0 to 20.0 MB; the survey says 31.0 MB.',
  ])
})

it('says a size that was counted without a range', () => {
  const lines = correctionLines([figure({ kind: 'count', of: 'bytes' }, 1_000_000, 1_000_000, 2_000_000)])
  expect(plain(lines)).toEqual(['The preliminary estimate of the size was 1.00 MB; the survey says 2.00 MB.'])
})

it('has the unit of the larger figure', () => {
  const lines = correctionLines([figure({ kind: 'identical' }, 20_000_000, 20_000_000, 0)])
  expect(plain(lines)).toEqual([
    'The preliminary estimate of identical files was 20.0 MB; the survey says 0 B.',
  ])
})

it('leaves out what does not show in the digits', () => {
  expect(
    correctionLines([codec('zstd-3', 3.1e9, 3.4e9, 3.401e9), codec('lz4', 3.1e9, 3.4e9, 3.0999e9)]),
  ).toEqual([])
})

it('counts what is more than three lines', () => {
  const figures = ['a', 'b', 'c', 'd', 'e'].map((name) => codec(name, 1e6, 2e6, 3e6))
  expect(correctionLines(figures)).toHaveLength(4)
  expect(correctionLines(figures).at(-1)).toBe(
    '2 more figures lie outside the range of the preliminary estimate.',
  )
  expect(correctionLines(figures.slice(0, 4)).at(-1)).toMatch(/^1 more figure lies /)
})
