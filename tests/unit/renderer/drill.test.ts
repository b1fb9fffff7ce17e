import { describe, expect, it } from 'vitest'
import { initialDrill, reduceDrill } from '../../../renderer/src/steps/restore/drill/drillState'
import {
  isOfBuilt,
  isTooFull,
  sayCached,
  sayCopy,
  sayDrilled,
  saySpace,
  sayTook,
  sayTried,
  sayTriedWhole,
} from '../../../renderer/src/steps/restore/drill/drillWords'
import { type DrillDocument, lastTried } from '../../../src/contract/dto/drill'
import recorded from '../../fixtures/recordings/drills.json'
import type { RecordedDrills } from '../../fixtures/recordings/record'

const { preview, built, atBank, damaged } = recorded as RecordedDrills
const plain = (text: string | null) => text?.replaceAll(/[\u00a0\u202f]/g, ' ')
const volume = (
  label: string,
  copy: number | null,
  place: string | null,
): DrillDocument['volumes'][number] => ({
  path: `/media/${label}`,
  planId: 'pa',
  volume: 1,
  label,
  copy,
  place,
  files: 4,
})

describe('the words on a restore drill', () => {
  it('name volumes by the copies that they are', () => {
    expect(sayDrilled(atBank.volumes)).toBe('PHOTOS_01 and PHOTOS_02 (copy 1 at the bank)')
    expect(sayDrilled(built.volumes)).toBe('PHOTOS_01 and PHOTOS_02 (the built image or folder)')
    expect(sayDrilled([volume('A_01', 2, null), volume('A_02', null, null), volume('A_03', 2, null)])).toBe(
      'A_01 and A_03 (copy 2), A_02',
    )
    expect(sayCopy({ copy: null, place: 'the bank' })).toBe('')
  })

  it('tell the image in the folder of the plan from any other copy', () => {
    expect(isOfBuilt(built.volumes)).toBe(true)
    expect(isOfBuilt(atBank.volumes)).toBe(false)
    expect(isOfBuilt([...built.volumes, ...atBank.volumes])).toBe(false)
    expect(isOfBuilt([])).toBe(false)
  })

  it('name the space that is needed, with what is free where that is known', () => {
    expect(plain(saySpace(preview, 'decimal'))).toBe('800 kB needed, 52.0 GB free')
    expect(plain(saySpace({ ...preview, freeBytes: null }, 'decimal'))).toBe('800 kB needed')
    expect(isTooFull({ ...preview, freeBytes: preview.spaceBytes })).toBe(false)
    expect(isTooFull({ ...preview, freeBytes: preview.spaceBytes - 1 })).toBe(true)
    expect(isTooFull({ ...preview, freeBytes: null })).toBe(false)
  })

  it('name time and speed, and what the cache may have given', () => {
    expect(plain(sayTook(atBank, 'decimal'))).toBe('The sample of 800 kB took 4.2 s, 190 kB/s on average.')
    expect(sayCached(atBank, 'decimal')).toBeNull()
    expect(plain(sayCached({ ...atBank, cachedBytes: 40_000 }, 'decimal'))).toBe(
      '40.0 kB may have come from the system’s cache and not from the medium.',
    )
    expect(sayCached({ ...atBank, cachedBytes: null }, 'decimal')).toContain('does not report')
  })

  it('say on Home which copy was tried when, with the result', () => {
    expect(sayTried(damaged)).toEqual({
      tried: 'Restore tried in Mar 2026: 15 of 20,',
      copies: 'copy 1 at the bank',
    })
    expect(sayTriedWhole(damaged)).toBe(
      'Restore tried on 3 Mar 2026 from PHOTOS_01 and PHOTOS_02 (copy 1 at the bank): 15 of 20 files came back.',
    )
    expect(sayTried({ ...atBank, volumes: [volume('A_01', null, null)] })).toEqual({
      tried: 'Restore tried in Mar 2026: 20 of 20',
      copies: '',
    })
  })
})

describe('the last restore drill of an archive', () => {
  const of = new Set(['pa'])

  it('is the last one of a copy other than the image in the folder of the plan', () => {
    expect(lastTried([built, damaged, atBank], of)).toBe(damaged)
    expect(lastTried([built], of)).toBeNull()
    expect(lastTried([atBank], new Set(['pb']))).toBeNull()
    expect(lastTried([{ ...atBank, volumes: [volume('A_01', null, null)] }], of)).not.toBeNull()
    expect(lastTried([], of)).toBeNull()
  })
})

describe('the state of a restore drill', () => {
  const ended = reduceDrill(
    { ...initialDrill, isOpen: true, preview, drills: [atBank] },
    {
      type: 'ended',
      document: damaged,
    },
  )

  it('shows the result in place of the sample, until another one is drawn', () => {
    expect(ended).toMatchObject({ preview: null, document: damaged })
    const drawing = reduceDrill(ended, { type: 'drawing' })
    expect(drawing).toMatchObject({ isOpen: true, preview: null, document: null, error: null })
    expect(reduceDrill(drawing, { type: 'drawn', preview }).preview).toBe(preview)
  })

  it('keeps the drills of the catalog when it is closed or opened anew, and nothing else', () => {
    const copied = reduceDrill(ended, { type: 'copy', copy: 2 })
    expect(reduceDrill(copied, { type: 'closed' })).toEqual({ ...initialDrill, drills: [atBank] })
    expect(reduceDrill(copied, { type: 'opened' })).toEqual({
      ...initialDrill,
      isOpen: true,
      drills: [atBank],
    })
  })
})
