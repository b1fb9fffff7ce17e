import { describe, expect, it } from 'vitest'
import { type CacheFacts, judgeCache } from '../../../../src/domain/devices/cacheProof'

const HONEST: CacheFacts = {
  obtained: 'uncached',
  isMemory: false,
  readBytes: 1e9,
  writtenBytes: 1e9,
  deviceReadBytes: 1.001e9,
  deviceWrittenBytes: 1.02e9,
  residentBytes: 0,
  checkedBytes: 1e9,
  readBytesPerSecond: 5e8,
  cachedBytesPerSecond: 8e9,
  linkBytesPerSecond: 1e9,
  suspects: 0,
  samples: 100,
}

describe('judgeCache', () => {
  it('believes a run that the device itself counted', () => {
    const { plausible, evidence } = judgeCache(HONEST)
    expect(plausible).toBe(true)
    expect(evidence.map(({ code, holds }) => [code, holds])).toEqual([
      ['resident', true],
      ['deviceReads', true],
      ['deviceWrites', true],
      ['linkRate', true],
    ])
  })

  it.each<[string, Partial<CacheFacts>]>([
    ['the device counted hardly anything read', { deviceReadBytes: 3e6 }],
    ['the device counted half of what was written', { deviceWrittenBytes: 5e8 }],
    ['the files lie in the cache', { residentBytes: 5e8 }],
    ['it is faster than the link', { linkBytesPerSecond: 4e8 }],
    ['it lies in memory', { isMemory: true }],
    ['a tenth of the samples is too fast', { suspects: 10 }],
    [
      'nothing counts and it is as fast as the cache',
      { deviceReadBytes: null, deviceWrittenBytes: null, readBytesPerSecond: 7e9, linkBytesPerSecond: null },
    ],
    [
      'it was buffered and nothing counts',
      { obtained: 'buffered', deviceReadBytes: null, deviceWrittenBytes: null },
    ],
    [
      'nothing at all is known',
      {
        deviceReadBytes: null,
        deviceWrittenBytes: null,
        residentBytes: null,
        cachedBytesPerSecond: null,
        linkBytesPerSecond: null,
      },
    ],
    [
      'others use the device, so that its count proves nothing, and it is as fast as the cache',
      { deviceReadBytes: 5e9, readBytesPerSecond: 7e9, linkBytesPerSecond: null },
    ],
    ['it was buffered and others use the device', { obtained: 'buffered', deviceWrittenBytes: 4e9 }],
    [
      'it was buffered and as fast as the cache',
      { obtained: 'buffered', readBytesPerSecond: 7e9, linkBytesPerSecond: null },
    ],
  ])('does not believe it when %s', (_what, facts) => {
    expect(judgeCache({ ...HONEST, ...facts }).plausible).toBe(false)
  })

  it('accepts a drive as fast as memory if its own counters confirm it', () => {
    expect(judgeCache({ ...HONEST, readBytesPerSecond: 9e9, linkBytesPerSecond: null }).plausible).toBe(true)
  })

  it('does not hold against a buffered read what it leaves in the cache, if the device counted it', () => {
    expect(judgeCache({ ...HONEST, obtained: 'buffered', residentBytes: 1e9 }).plausible).toBe(true)
  })
})
