import { describe, expect, it } from 'vitest'
import table from '../../../../../assets/rates.json'
import {
  type WaitName,
  type WorkName,
  waitTime,
  workTime,
} from '../../../../../src/domain/options/cost/rates'
import { isSound } from '../../../../fixtures/options/optionFacts'

const machine = { system: 'linux', cores: 2, memoryBytes: 16e9, pace: 1 } as const
const [MANY, MEGABYTE] = [10, 1e6]
const SOME = {
  volume: MANY,
  file: MANY,
  folder: MANY,
  container: MANY,
  containerFolder: MANY,
  chunk: MANY,
  byte: MEGABYTE,
  tarByte: MEGABYTE,
  storedByte: MEGABYTE,
  newByte: MEGABYTE,
  repeatedByte: MEGABYTE,
  zeroByte: MEGABYTE,
}

describe('rates of times', () => {
  it.each(Object.keys(table.work) as WorkName[])('%s is CPU time with a range', (name) => {
    const time = workTime(name, SOME, machine)
    expect(isSound(time)).toBe(true)
    expect(time.value).toBeGreaterThan(0)
    expect(time.low).toBeLessThan(time.value)
    expect(time.high).toBeGreaterThan(time.value)
    expect(time.basis).toContain(table.work[name].source)
  })

  it.each(Object.keys(table.waits) as WaitName[])('%s is a time with a range', (name) => {
    const time = waitTime(name, SOME)
    expect(isSound(time)).toBe(true)
    expect(time.high).toBeGreaterThan(time.low)
  })

  it('count milliseconds for things, nanoseconds for bytes, and one start', () => {
    const { start, file, byte } = table.work['plain.copy']
    const time = workTime('plain.copy', { file: 1000, byte: 1e9 }, machine)
    expect(time.value).toBeCloseTo(start / 1e3 + file + byte, 9)
    expect(workTime('plain.copy', { start: 0 }, machine).value).toBe(0)
    expect(waitTime('volume.flush', { volume: 2 })).toMatchObject({ value: 0.1, low: 0.04, high: 0.2 })
  })

  it('are divided by the pace of the machine, and less sure where that is unknown', () => {
    const of = (pace: number | undefined) => workTime('iso.pack', { file: 1e4 }, { ...machine, pace })
    const [usual, fast, unknown] = [of(1), of(2), of(undefined)]
    expect(fast.value).toBeCloseTo(usual.value / 2, 9)
    expect(fast.high).toBeCloseTo(usual.high / 2, 9)
    expect(unknown.value).toBe(usual.value)
    expect(unknown.high).toBeGreaterThan(1.5 * usual.high)
    expect(unknown.low).toBeLessThan(usual.low)
  })
})
