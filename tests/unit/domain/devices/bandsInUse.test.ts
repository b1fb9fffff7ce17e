import { describe, expect, it } from 'vitest'
import { bandsInUse } from '../../../../src/domain/devices/bandsInUse'

const bundle = (encryption: 256 | null, full: number, left: number) => ({
  kind: 'UDSB' as const,
  encryption,
  bandSize: 8 * 2 ** 20,
  bandsInUse: { full, left },
})
const image = { kind: 'UDRW' as const, encryption: null, bandSize: null }
const run = (id: string, containers: (ReturnType<typeof bundle> | typeof image)[], plausible = true) => ({
  id,
  deviceKey: 'disk',
  plausible,
  containers,
})

describe('bands in use', () => {
  it('are those of the newest plausible measurement of the device and encryption', () => {
    const runs = [
      run('m-5', [bundle(null, 9, 1)], false),
      { ...run('m-4', [bundle(null, 8, 1)]), deviceKey: 'other' },
      { id: 'm-3', deviceKey: 'disk', plausible: true },
      run('m-2', [image, bundle(256, 7, 3), bundle(null, 7, 2)]),
      run('m-1', [bundle(null, 6, 1)]),
    ]
    const found = { measurementId: 'm-2', bandSize: 8 * 2 ** 20 }
    expect(bandsInUse(runs, 'disk', null)).toEqual({ ...found, full: 7, left: 2 })
    expect(bandsInUse(runs, 'disk', 256)).toEqual({ ...found, full: 7, left: 3 })
  })

  it('are unknown where none was measured', () => {
    expect(bandsInUse([run('m-1', [image])], 'disk', null)).toBeNull()
    expect(bandsInUse([run('m-1', [bundle(null, 6, 1)])], 'disk', 256)).toBeNull()
  })
})
