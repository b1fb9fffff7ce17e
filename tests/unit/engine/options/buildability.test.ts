import { describe, expect, it } from 'vitest'
import { buildability, builderFor } from '../../../../src/engine/options/buildability'
import { borg, restic } from '../../../../src/engine/tools/backupTools'
import type { ExternalTool } from '../../../../src/engine/tools/externalTool'
import { sevenZip } from '../../../../src/engine/tools/sevenZip'
import { mksquashfs } from '../../../../src/engine/tools/squashfsTools'
import { xorriso } from '../../../../src/engine/tools/xorriso'
import { systemClock } from '../../../../src/primitives/clock'
import { PERMANENT_NAMES } from '../../../fixtures/options/permanentNames'

const NONE = { encryption: 'none', protection: 0 } as const
/** The program that each builder needs; null for Stowage alone. */
const TOOLS: Readonly<Record<string, ExternalTool | null>> = {
  plain: null,
  iso: xorriso,
  'apple-image': xorriso,
  'compressed-files': null,
  'seven-zip-files': sevenZip,
  'seven-zip-solid': sevenZip,
  torrent7z: sevenZip,
  'seven-zip-merged': sevenZip,
  'seven-zip-blocks': sevenZip,
  blocks: null,
  borg,
  restic,
  'tar-zst': null,
  squashfs: mksquashfs,
}

describe('the builder of a permanent name', () => {
  it.each(PERMANENT_NAMES)('of $name is that of $builder', ({ name, builder }) => {
    const answer = builderFor(name, NONE)
    if (builder === null) expect(answer).toEqual({ refusal: expect.stringMatching(/\w/) as string })
    else expect(answer).toMatchObject({ recipe: { family: builder }, builder: { tool: TOOLS[builder] } })
  })
})

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
    [{ ...NONE, encryption: 'aes-256' as const }, 'Stowage cannot encrypt it yet (AES-256 is requested)'],
    [{ ...NONE, encryption: 'aes-128' as const }, 'Stowage cannot encrypt it yet (AES-128 is requested)'],
    [{ ...NONE, protection: 0.1 }, /^Stowage cannot add redundancy to it yet \(10(\.0)? % is requested\)$/],
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
