import { describe, expect, it } from 'vitest'
import { buildability, builderFor, requirePassword } from '../../../../src/engine/options/buildability'
import { borg, restic } from '../../../../src/engine/tools/backupTools'
import type { ExternalTool } from '../../../../src/engine/tools/externalTool'
import { sevenZip } from '../../../../src/engine/tools/sevenZip'
import { mksquashfs } from '../../../../src/engine/tools/squashfsTools'
import { systemClock } from '../../../../src/primitives/clock'
import { PERMANENT_NAMES } from '../../../fixtures/options/permanentNames'

const NONE = { encryption: 'none', protection: 0 } as const
/** The program that each builder needs; null for Stowage alone. */
const TOOLS: Readonly<Record<string, ExternalTool | null>> = {
  plain: null,
  iso: null,
  'apple-image': null,
  'compressed-files': null,
  'seven-zip-files': sevenZip,
  'seven-zip-solid': sevenZip,
  torrent7z: sevenZip,
  'seven-zip-merged': sevenZip,
  'seven-zip-blocks': sevenZip,
  borg,
  restic,
  'tar-zst': null,
  torrentzip: null,
  'by-folder': sevenZip,
  squashfs: mksquashfs,
}

describe('the builder of a permanent name', () => {
  it.each(PERMANENT_NAMES)('of $name is that of $builder', ({ name, builder }) => {
    const answer = builderFor(name, NONE)
    if (builder === null) expect(answer).toEqual({ refusal: expect.stringMatching(/\w/) as string })
    else expect(answer).toMatchObject({ recipe: { family: builder }, builder: { tool: TOOLS[builder] } })
  })
})

/** Of every family that Stowage builds, what it can be encrypted with. */
const BUILT: readonly (readonly [variant: string, encryption: readonly ('aes-128' | 'aes-256')[]])[] = [
  ['plain', []],
  ['iso', []],
  ['udzo', ['aes-128', 'aes-256']],
  ['files-zstd-3', []],
  ['7z-files', ['aes-256']],
  ['7z-solid-64m-path', ['aes-256']],
  ['7z-t7z', ['aes-256']],
  ['7z-titles', ['aes-256']],
  ['7z-titles+files', []],
  ['borg-1-zstd-3', ['aes-256']],
  ['restic-auto', ['aes-256']],
  ['tar-zst-19-128m-path', []],
  ['squashfs-zstd-3-1m', []],
  ['torrentzip-titles', []],
]
const NAMES = { 'aes-128': 'AES-128', 'aes-256': 'AES-256' } as const

describe.each(BUILT)('the builder of %s', (variant, possible) => {
  it('is there when nothing is asked for that it cannot carry out', () => {
    expect(builderFor(variant, NONE)).not.toHaveProperty('refusal')
  })

  it.each(['aes-128', 'aes-256'] as const)(
    'encrypts with %s or says which option can',
    async (encryption) => {
      const demands = { ...NONE, encryption }
      if (possible.includes(encryption)) {
        expect(builderFor(variant, demands)).not.toHaveProperty('refusal')
        return
      }
      const why = possible.length === 0 ? 'it cannot be encrypted' : 'it can be encrypted with AES-256 only'
      const nearest = encryption === 'aes-128' ? 'udzo' : '7z-files'
      const because = `${why} (${NAMES[encryption]} is requested); ${nearest} can`
      expect(builderFor(variant, demands)).toEqual({ refusal: because })
      expect(builderFor(nearest, demands)).not.toHaveProperty('refusal')
      const answers = await buildability([variant], demands, systemClock)
      expect(answers.get(variant)).toEqual({ possible: false, because })
    },
  )

  it('refuses redundancy, which it would leave out', async () => {
    const demands = { ...NONE, protection: 0.1 }
    const because = 'Stowage cannot add redundancy to it yet (10 % is requested)'
    expect(builderFor(variant, demands)).toEqual({ refusal: because })
    expect((await buildability([variant], demands, systemClock)).get(variant)).toEqual({
      possible: false,
      because,
    })
  })
})

describe('a password', () => {
  const password = new Uint8Array([1])

  it('is needed for encryption and refused without it', () => {
    expect(() => requirePassword('7z-files', { encryption: 'aes-256', password })).not.toThrow()
    expect(() => requirePassword('7z-files', { encryption: 'none', password: null })).not.toThrow()
    expect(() => requirePassword('7z-files', { encryption: 'aes-256', password: null })).toThrow(
      'cannot encrypt 7z-files: a password is needed',
    )
    expect(() => requirePassword('7z-files', { encryption: 'none', password })).toThrow(
      'cannot build 7z-files with a password: no encryption is requested',
    )
  })
})
