import { describe, it } from 'vitest'
import { windowsForTests } from '../renderer/windowUnderTest'
import { asksForDrivesAndDiscs } from '../renderer/writtenSet'

const windows = windowsForTests()

describe('writing a set to discs', () => {
  it('asks for the drive, then for each disc, and shows what was written (dark-900)', async () => {
    await asksForDrivesAndDiscs(windows, 'dark-900', { width: 900, height: 600, dark: true })
  })
})
