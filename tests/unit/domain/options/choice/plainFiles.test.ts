import { describe, expect, it } from 'vitest'
import { plainFiles, sharesEdits } from '../../../../../src/domain/options/choice/plainFiles'
import type { OptionRow } from '../../../../../src/domain/options/recipes/option'
import { about, optionUnderTest } from '../optionUnderTest'

function on(addLater: boolean): OptionRow[] {
  const allows = { addLater, history: false, mount: false, encrypt: [], volumesAlone: true }
  return [
    optionUnderTest('plain', { bytes: about(820e6) }, { family: 'plain', allows }),
    optionUnderTest('linked', { bytes: about(794e6) }, { family: 'plain', reduction: 'duplicates', allows }),
    optionUnderTest('7z', { bytes: about(100e6) }, { family: 'seven-zip-files', allows }),
  ]
}

describe('the plain files that are compared and shown', () => {
  it('store identical files once on discs, where nothing can be edited', () => {
    expect(plainFiles(on(false))?.id).toBe('linked')
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
