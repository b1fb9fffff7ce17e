import { describe, expect, it } from 'vitest'
import type { OptionRow } from '../../../../../src/domain/options/choice/option'
import { plainFiles, sharesEdits } from '../../../../../src/domain/options/choice/plainFiles'
import { type Estimate, exact } from '../../../../../src/primitives/estimate'
import { optionUnderTest } from '../optionUnderTest'

function on(addLater: boolean, linkedVolumes: number | Estimate = 1): OptionRow[] {
  const allows = { addLater, history: false, mount: false, encrypt: [], volumesAlone: true }
  return [
    optionUnderTest('plain', { volumes: exact(2, 'discs') }, { family: 'plain', allows }),
    optionUnderTest(
      'linked',
      { volumes: typeof linkedVolumes === 'number' ? exact(linkedVolumes, 'discs') : linkedVolumes },
      { family: 'plain', reduction: 'duplicates', allows },
    ),
    optionUnderTest('7z', {}, { family: 'seven-zip-files', allows }),
  ]
}

describe('the plain files that are compared and shown', () => {
  it('store identical files once where that saves a disc, on which nothing can be edited', () => {
    expect(plainFiles(on(false))?.id).toBe('linked')
    expect(plainFiles(on(false, 2))?.id).toBe('plain')
    expect(plainFiles(on(false, { ...exact(2, 'discs'), low: 1 }))?.id).toBe('linked')
    expect(on(false).map(sharesEdits)).toEqual([false, false, false])
  })

  it('are separate files on a medium that can be written again', () => {
    expect(plainFiles(on(true))?.id).toBe('plain')
    expect(on(true).map(sharesEdits)).toEqual([false, true, false])
  })

  it('are hard links where nothing else is left, and none where there are none', () => {
    expect(plainFiles(on(true).slice(1))?.id).toBe('linked')
    expect(plainFiles(on(true).slice(2))).toBeNull()
  })
})
