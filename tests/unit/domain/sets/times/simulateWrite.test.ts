import { describe, expect, it } from 'vitest'
import { speedCurve, steadyRate } from '../../../../../src/domain/media/speedCurve'
import { simulateWrite, type WriteSetting } from '../../../../../src/domain/sets/times/simulateWrite'
import { referenceWrite } from './referenceWrite'
import { seededTree } from './seededTree'

const MIB = 1024 * 1024
/** In whole units of the reference. */
const whole = (bytes: number): number => Math.ceil(bytes / 512) * 512
const sizes = seededTree(1, { bytes: 6 * MIB, share: 0.7, largeBytes: MIB / 2, smallBytes: 4096 }).map(whole)
const source = { startSeconds: 0.05, fileSeconds: 0.002, secondsPerByte: 1 / 30e6 }
const curve = steadyRate(5.54e6)

describe('the simulated write', () => {
  it.each([
    ['a pipe of one page', { bufferBytes: 4096 }],
    ['a pipe of 64 KiB', { bufferBytes: 65_536 }],
    ['a buffer of 1 MiB', { bufferBytes: MIB }],
    ['a buffer that is filled first', { bufferBytes: MIB, startBytes: MIB / 2 }],
    ['pauses until it is filled again', { bufferBytes: MIB, startBytes: MIB / 2, lowBytes: MIB / 8 }],
    ['directories before the files', { bufferBytes: 65_536, headBytes: 307_200 }],
    [
      'a disc that gets faster',
      {
        bufferBytes: 65_536,
        curve: speedCurve({ profile: 'cav', labelled: 9e6, capacityBytes: 7 * MIB, layers: 1 }),
      },
    ],
  ] satisfies [string, Partial<WriteSetting> & Pick<WriteSetting, 'bufferBytes'>][])(
    'agrees with a byte-by-byte reference: %s',
    (_, more) => {
      const setting = { sizes, source, curve, ...more }
      const [fast, slow] = [simulateWrite(setting), referenceWrite(setting)]
      expect(fast.seconds / slow.seconds).toBeCloseTo(1, 9)
      expect(fast.writerWaits).toBeCloseTo(slow.writerWaits, 6)
    },
  )

  it('lies between the slower side and both in turn, and falls with the buffer', () => {
    // Merged pieces are off by their time.
    const merged = 2 * 65_536 * (1 / 30e6 + 1 / 5.54e6)
    let before = Number.POSITIVE_INFINITY
    for (const bufferBytes of [4096, 65_536, MIB, 16 * MIB]) {
      const { seconds, leastSeconds, sourceSeconds, writerSeconds } = simulateWrite({
        sizes,
        source,
        curve,
        bufferBytes,
      })
      expect(seconds).toBeGreaterThanOrEqual(leastSeconds)
      expect(seconds).toBeLessThanOrEqual(sourceSeconds + writerSeconds)
      expect(seconds).toBeLessThanOrEqual(before + merged)
      before = seconds
    }
  })

  it('merged pieces are off by no more than two of them', () => {
    // Pieces of 64 KiB instead of 32.
    const large = seededTree(2, { bytes: 60 * MIB, share: 0.7, largeBytes: 2 * MIB, smallBytes: 20_000 }).map(
      whole,
    )
    const setting = { sizes: large, source, curve, bufferBytes: 16 * MIB }
    const [merged, exact] = [simulateWrite(setting), referenceWrite(setting)]
    expect(Math.abs(merged.seconds - exact.seconds)).toBeLessThan(2 * 65_536 * (1 / 30e6 + 1 / 5.54e6))
  })

  it('takes the start of the source and the whole writing at least', () => {
    const { leastSeconds, writerSeconds } = simulateWrite({ sizes, source, curve, bufferBytes: MIB })
    expect(leastSeconds).toBeCloseTo(source.startSeconds + writerSeconds, 9)
  })

  it('waits for neither side where the writer is slower and the buffer holds everything', () => {
    const { seconds, writerWaits, underruns, writerSeconds } = simulateWrite({
      sizes: [40 * MIB],
      source: { startSeconds: 0, fileSeconds: 0, secondsPerByte: 1e-9 },
      curve: steadyRate(1e6),
      bufferBytes: 64 * MIB,
    })
    expect(writerWaits).toBeLessThan(0.01)
    expect(underruns).toBe(0)
    expect(seconds).toBeCloseTo(writerSeconds, 2)
  })

  it('takes what opening costs for files of no bytes, and no time for no files', () => {
    const opening = { startSeconds: 1, fileSeconds: 0.5, secondsPerByte: 0 }
    const empty = simulateWrite({ sizes: [0, 1, 0], source: opening, curve, bufferBytes: MIB })
    expect(empty.seconds).toBeCloseTo(2.5, 6)
    expect(simulateWrite({ sizes: [], source, curve, bufferBytes: MIB }).seconds).toBe(0.05)
  })

  it('reproduces a published burn: 943 s with 32 MB, 870 s with 256 MB, 864 s for the source alone', () => {
    // 193,000 files of 3,517 MiB at 4x on BD-R. Not published: the files' sizes (70 % of the bytes in large ones), 30 MB/s of the disk.
    const files = seededTree(1, { bytes: 3517 * MIB, share: 0.7, largeBytes: 16e6, smallBytes: 5740 })
    const disk = { startSeconds: 0, fileSeconds: 0.0038, secondsPerByte: 1 / 30e6 }
    const seconds = (bufferBytes: number) =>
      simulateWrite({ sizes: files, source: disk, curve, bufferBytes }).seconds
    expect(files.length).toBeCloseTo(193_000, -4)
    expect(seconds(32e6) / 943).toBeCloseTo(1, 1)
    expect(seconds(256e6) / 870).toBeCloseTo(1, 1)
  })
})
