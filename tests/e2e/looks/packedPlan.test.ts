import { describe, it } from 'vitest'
import { optionBecomesSet } from '../renderer/packedJourney'
import { windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

const LOOKS = [
  ['dark-1440', { width: 1440, height: 900, dark: true }],
  ['light-900', { width: 900, height: 600 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
] as const

describe('an option becomes a set', () => {
  it.each(LOOKS)(
    'with its recipe, its medium and its encryption, from Choose to verified volumes (%s)',
    async (name, look) => {
      await optionBecomesSet(windows, name, look)
    },
  )
})
