import { describe, expect, it } from 'vitest'
import { expectedSizes, keptSchemes, parseShare } from '../../../../src/domain/fingerprints/schemes'
import { CHUNKERS } from '../../../../src/domain/survey/chunkers'

describe('the schemes of fingerprints', () => {
  it('have a share by their size, rounded down to a power of two', () => {
    const schemes = keptSchemes({ blockSizes: [2352, 512, 8 * 1024 * 1024, 1536] }, CHUNKERS)
    expect(Object.fromEntries(schemes.map(({ name, shift }) => [name, shift]))).toEqual({
      'blocks-512': 13,
      'blocks-1k': 12,
      'blocks-2k': 11,
      'blocks-4k': 10,
      'blocks-8k': 9,
      'blocks-16k': 8,
      'blocks-32k': 7,
      'blocks-64k': 6,
      'blocks-128k': 5,
      'blocks-256k': 4,
      'blocks-512k': 3,
      'blocks-1m': 2,
      'blocks-1536': 12,
      'blocks-2352': 11,
      'blocks-8m': 0,
      'borg-1': 1,
      'borg-2': 1,
      restic: 2,
      kopia: 0,
      casync: 6,
      'fastcdc-8k': 9,
      'fastcdc-16k': 8,
      'fastcdc-64k': 6,
    })
  })

  it('keep at least the share asked for', () => {
    const shifts = (fingerprintShift: number): number[] =>
      keptSchemes({ fingerprintShift }, CHUNKERS).map(({ shift }) => shift)
    expect(shifts(6)).toEqual([6, 6, 6, 6, 6, 6, 5, 4, 3, 2, 1, 1, 2, 0, 6, 6, 6, 6])
    expect(shifts(0).every((shift) => shift === 0)).toBe(true)
    expect(shifts(20)).toEqual(keptSchemes({}, CHUNKERS).map(({ shift }) => shift))
  })

  it('take some 35 MB for a TB, and scratch space by the share', () => {
    const usual = expectedSizes(keptSchemes({}, CHUNKERS))
    expect(usual.perByte * 1e12).toBeGreaterThan(30e6)
    expect(usual.perByte * 1e12).toBeLessThan(40e6)
    const whole = keptSchemes({ fingerprintShift: 0 }, [])
    expect(expectedSizes(whole.filter(({ name }) => name === 'blocks-4k')).scratchPerByte).toBe(24 / 4096)
  })

  it('read a share as a power of two and refuse any other', () => {
    expect(['1', '1/1', '1/2', '1/64', '1/1048576'].map(parseShare)).toEqual([0, 0, 1, 6, 20])
    for (const wrong of ['', '0', '2', '1/0', '1/3', '1/2097152', '64', '1/-2', '0.5', '1/64 '])
      expect([wrong, parseShare(wrong)]).toEqual([wrong, null])
  })
})
