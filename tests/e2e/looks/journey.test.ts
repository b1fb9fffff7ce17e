import { describe, it } from 'vitest'
import { leadsThroughEveryStep } from '../renderer/wholeJourney'
import { windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

const LOOKS = [
  ['dark-1440', { width: 1440, height: 900, dark: true }],
  ['light-1000', { width: 1000, height: 700 }],
  ['light-900', { width: 900, height: 600 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
  ['forced-1440', { width: 1440, height: 900, forced: true }],
] as const

describe('from a folder to verified discs', () => {
  it.each(LOOKS)('leads through every step (%s)', async (name, look) => {
    await leadsThroughEveryStep(windows, name, look)
  })
})
