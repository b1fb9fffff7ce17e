import { describe, expect, it } from 'vitest'
import { buildability, builderFor } from '../../../../src/engine/options/buildability'
import { systemClock } from '../../../../src/primitives/clock'

const NONE = { encryption: 'none', protection: 0 } as const

/** Of every family that Stowage builds. */
const BUILT = [
  'plain',
  'iso',
  'udzo',
  'files-zstd-3',
  '7z-files',
  '7z-solid-64m-path',
  '7z-titles',
  'borg-1-zstd-3',
  'restic-auto',
  'tar-zst-19-128m-path',
  'squashfs-zstd-3-1m',
]

describe.each(BUILT)('the builder of %s', (variant) => {
  it('is there when nothing is asked for that it cannot carry out', () => {
    expect(builderFor(variant, NONE)).not.toHaveProperty('refusal')
  })

  it.each([
    [{ ...NONE, encryption: 'aes-256' as const }, 'Stowage cannot encrypt it yet (AES-256 is asked for)'],
    [{ ...NONE, encryption: 'aes-128' as const }, 'Stowage cannot encrypt it yet (AES-128 is asked for)'],
    [{ ...NONE, protection: 0.1 }, /^Stowage cannot add redundancy to it yet \(10(\.0)? % is asked for\)$/],
  ])('refuses %j, which it would leave out', async (demands, because) => {
    const refusal = {
      refusal: typeof because === 'string' ? because : (expect.stringMatching(because) as string),
    }
    expect(builderFor(variant, demands)).toEqual(refusal)
    expect((await buildability([variant], demands, systemClock)).get(variant)).toEqual({
      possible: false,
      because: refusal.refusal,
    })
  })
})
