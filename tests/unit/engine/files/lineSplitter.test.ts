import { describe, expect, test } from 'vitest'
import { lineSplitter } from '../../../../src/engine/files/read'
import { seededRandom } from '../../../../src/primitives/seededRandom'

function linesOf(
  chunks: readonly Uint8Array[],
  encoding: 'utf8' | 'latin1' = 'utf8',
  returnEnds = true,
): string[] {
  const lines: string[] = []
  const splitter = lineSplitter((line) => lines.push(line), encoding, returnEnds)
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return lines
}

describe('the line splitter', () => {
  test('gives the same lines however the bytes are cut into chunks, even within a character', () => {
    const text = 'first\nzweite Zeile: äöü 日本\r\nprogress 1%\rprogress 2%\r\n\nlast without end'
    const bytes = Buffer.from(text)
    const whole = linesOf([bytes])
    expect(whole).toEqual([
      'first',
      'zweite Zeile: äöü 日本',
      'progress 1%',
      'progress 2%',
      'last without end',
    ])
    expect(linesOf([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
    const random = seededRandom(1)
    for (let round = 0; round < 50; round++) {
      const chunks: Uint8Array[] = []
      for (let at = 0; at < bytes.length; ) {
        const stop = at + 1 + random.below(9)
        chunks.push(bytes.subarray(at, stop))
        at = stop
      }
      expect(linesOf(chunks)).toEqual(whole)
    }
  })

  test('keeps every byte of a name when asked for Latin-1, a carriage return too', () => {
    expect(linesOf([Buffer.from([0x61, 0xff, 0x0d, 0x62, 0x0a])], 'latin1', false)).toEqual(['a\u00ff\rb'])
  })

  test('does not hold on to the chunk it was given', () => {
    const chunk = Buffer.from('abc')
    const lines: string[] = []
    const splitter = lineSplitter((line) => lines.push(line))
    splitter.push(chunk)
    chunk.fill(0)
    splitter.end()
    expect(lines).toEqual(['abc'])
  })

  test('cuts a line that never ends instead of filling the memory', () => {
    const lines = linesOf(Array.from({ length: 5 }, () => new Uint8Array(1024 * 1024).fill(0x78)))
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.reduce((sum, line) => sum + line.length, 0)).toBe(5 * 1024 * 1024)
  })
})
