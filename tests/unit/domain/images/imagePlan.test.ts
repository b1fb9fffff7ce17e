import { describe, expect, it } from 'vitest'
import { imageCatalogueSchema } from '../../../../src/contract/dto/image'
import { IMAGE_KINDS } from '../../../../src/domain/images/imageKind'
import { fittedBand, type ImageSettings, planImage } from '../../../../src/domain/images/imagePlan'
import {
  bandsAtFullSize,
  bandVerdict,
  ENCRYPTION_HINTS,
  IMAGE_KIND_ENTRIES,
} from '../../../../src/domain/images/kinds'
import { IMAGE_PRESETS, imageChoices } from '../../../../src/domain/images/presets'

const MIB = 1024 * 1024
const settings = (parts: Partial<ImageSettings>): ImageSettings => ({
  kind: 'UDSB',
  bytes: 1e9,
  band: 'usual',
  keyBits: null,
  ...parts,
})

describe('the register of image kinds', () => {
  it('has one entry a kind under its own name, the same kinds as the contract, and a source for every hint', () => {
    expect(Object.keys(IMAGE_KIND_ENTRIES).toSorted()).toEqual(IMAGE_KINDS.toSorted())
    for (const kind of IMAGE_KINDS) {
      const entry = IMAGE_KIND_ENTRIES[kind]
      expect(entry.kind).toBe(kind)
      expect(entry.opens.length).toBeGreaterThan(0)
      for (const { text, source } of [...entry.opens, ...ENCRYPTION_HINTS]) {
        expect(text).toMatch(/^[A-Z].*\.$/)
        expect(source).not.toBe('')
      }
    }
  })

  it('fits the contract, presets too, and no preset is refused', () => {
    const catalogue = imageChoices()
    expect(imageCatalogueSchema.parse(catalogue)).toEqual(catalogue)
    for (const { kind, band, keyBits } of IMAGE_PRESETS)
      expect(planImage({ kind, band, keyBits, bytes: 100e9 }).refusal).toBeNull()
  })
})

describe('bands', () => {
  it.each([
    [1, 8 * MIB, 1],
    [8 * MIB, 8 * MIB, 1],
    [8 * MIB + 1, 8 * MIB, 2],
    [100e9, 8 * MIB, 11_921],
  ])('%d bytes in bands of %d are %d', (bytes, band, count) => {
    expect(bandsAtFullSize(bytes, band)).toBe(count)
  })

  it.each([
    [2_999, 'few'],
    [3_000, 'good'],
    [10_000, 'good'],
    [10_001, 'many'],
    [100_000, 'many'],
    [100_001, 'tooMany'],
  ] as const)('%d of them are %s', (count, verdict) => {
    expect(bandVerdict(count)).toBe(verdict)
  })

  it('are fitted to the recommended number of bands, or to the smallest band', () => {
    for (const bytes of [1, 5e9, 10_000 * MIB, 10_000 * MIB + 1, 100e9, 2e12, 8e15]) {
      const band = fittedBand(bytes)
      expect(Math.log2(band / MIB) % 1).toBe(0)
      const count = bandsAtFullSize(bytes, band)
      expect(count).toBeLessThanOrEqual(10_000)
      if (band > MIB) expect(count).toBeGreaterThan(5_000)
    }
  })
})

describe('a planned image', () => {
  it('has whole sectors, the format’s own bands, and is judged by them only as a bundle', () => {
    expect(planImage(settings({ bytes: 1001 }))).toMatchObject({
      bytes: 1024,
      bandBytes: 8 * MIB,
      bandVerdict: 'few',
    })
    expect(planImage(settings({ kind: 'UDSP' }))).toMatchObject({
      bandBytes: MIB,
      bandsAtFullSize: 954,
      bandVerdict: null,
    })
    expect(planImage(settings({ kind: 'UDSP', band: 'fitted', bytes: 1e12 })).bandBytes).toBe(MIB)
    expect(planImage(settings({ kind: 'UDRW' }))).toMatchObject({
      bandBytes: null,
      bandsAtFullSize: null,
      refusal: null,
    })
  })

  it('encrypted opens where that is understood, whatever its kind', () => {
    for (const kind of IMAGE_KINDS)
      expect(planImage(settings({ kind, keyBits: 128 })).opens).toEqual(ENCRYPTION_HINTS)
    expect(planImage(settings({})).opens).toEqual(IMAGE_KIND_ENTRIES.UDSB.opens)
  })

  it.each([
    [{ bytes: 0 }, /at least 512 bytes/],
    [{ bytes: Number.MAX_SAFE_INTEGER }, /too large/],
    [{ kind: 'UDRW', band: 8 * MIB }, /has no bands/],
    [{ band: MIB - 512 }, /from 1 MiB to 8 GiB/],
    [{ band: 8 * 1024 * MIB + 512 }, /from 1 MiB to 8 GiB/],
    [{ band: MIB + 1 }, /a multiple of 512 bytes/],
    [{ kind: 'UDSP', band: 512 }, /a multiple of 4096 bytes from 4 KiB/],
    [{ band: 0 }, /from 1 MiB/],
  ] as const)('is refused as %j', (parts, why) => {
    expect(planImage(settings(parts)).refusal).toMatch(why)
  })

  it.each([
    { band: MIB },
    { band: 8 * 1024 * MIB },
    { band: 1_536_000 },
    { kind: 'UDSP', band: 4096 },
  ] as const)('is taken as %j', (parts) => {
    expect(planImage(settings(parts)).refusal).toBeNull()
  })
})
