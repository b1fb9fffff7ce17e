import { describe, expect, it } from 'vitest'
import { strengthOf } from '../../../renderer/src/components/passwordStrength'
import { typedSize } from '../../../renderer/src/components/typedSize'
import {
  droppedImage,
  type ImagesState,
  imageSettings,
  initialImages,
  presetOf,
  reduceImages,
  stemOf,
  suggestedName,
  verbsFor,
} from '../../../renderer/src/steps/images/imagesState'
import type { ImageDocument } from '../../../src/contract/dto/image'
import { FakeImages } from '../../fixtures/fakeEngine/fakeImages'

const fake = new FakeImages({}).handlers(() => ({ jobId: 'j' }))
const catalogue = await fake.catalogue()
const bundle = await fake.info({ path: new FakeImages({}).chosen, password: null })
const zip: ImageDocument = { ...bundle, kind: 'UDZO', writable: false, bandBytes: null }
const locked: ImageDocument = {
  ...bundle,
  locked: true,
  kind: null,
  writable: false,
  encryption: { keyBits: 256, blockBytes: 512, rounds: 600_000, current: true },
}

describe('the form of a new image', () => {
  const { form } = initialImages
  it('is a preset as long as it is just that', () => {
    expect(presetOf(form, catalogue)).toBe('growing')
    expect(presetOf({ ...form, keyBits: 256 }, catalogue)).toBe('vault')
    expect(presetOf({ ...form, kind: 'UDRW' }, catalogue)).toBe('anywhere')
    expect(presetOf({ ...form, band: '8MiB' }, catalogue)).toBeNull()
    expect(presetOf({ ...form, keyBits: 128 }, catalogue)).toBeNull()
    expect(presetOf(form, null)).toBeNull()
  })

  it('requests what was entered, and nothing while a size is not valid', () => {
    expect(imageSettings(form)).toEqual({ kind: 'UDSB', bytes: 100e9, band: 'fitted', keyBits: null })
    expect(imageSettings({ ...form, band: '8MiB' })?.band).toBe(8 * 1024 * 1024)
    expect(imageSettings({ ...form, kind: 'UDRW', band: '8MiB' })?.band).toBe('usual')
    for (const wrong of [{ size: '' }, { size: 'big' }, { size: '0' }, { band: '8 apples' }])
      expect(imageSettings({ ...form, ...wrong })).toBeNull()
    expect([typedSize(' '), typedSize('-1'), typedSize('1.5kB')]).toEqual([null, undefined, 1500])
  })

  it('suggests a name with the ending of its kind', () => {
    expect(suggestedName('Untitled', 'UDSP', catalogue)).toBe('Untitled.sparseimage')
    expect(stemOf('/media/My photos.sparsebundle/')).toBe('My photos')
    expect(stemOf('C:\\disks\\a.b.DMG')).toBe('a.b')
  })

  it.each([
    ['', 'empty'],
    ['1234567', 'short'],
    ['12345678', 'fair'],
    ['ä'.repeat(14), 'fair'],
    ['ä'.repeat(15), 'long'],
    ['🙂'.repeat(7), 'short'],
  ] as const)('judges %j as %s', (password, strength) => {
    expect(strengthOf(password)).toBe(strength)
  })
})

describe('an open image', () => {
  const opened = reduceImages(initialImages, { type: 'opened', image: bundle, mayChange: true })

  it('can have done to it what its kind allows', () => {
    expect(verbsFor(bundle, true)).toEqual(['verify', 'convert', 'resize', 'compact', 'reband'])
    expect(verbsFor(zip, true)).toEqual(['verify', 'convert'])
    expect(verbsFor({ ...zip, kind: 'UDRW', writable: true }, true)).not.toContain('reband')
    expect(verbsFor(locked, true)).toEqual(['changePassword'])
    expect(verbsFor({ ...bundle, encryption: locked.encryption }, true)).toContain('changePassword')
  })

  it('that was only dropped is read and never changed, but what is made of it is', () => {
    expect(verbsFor(bundle, false)).toEqual(['verify', 'convert'])
    expect(verbsFor(locked, false)).toEqual([])
    const dropped = reduceImages(initialImages, { type: 'opened', image: bundle, mayChange: false })
    const result = (image: ImageDocument) => ({ type: 'result', result: { image, verify: null } }) as const
    expect(reduceImages(dropped, result(bundle)).mayChange).toBe(false)
    expect(reduceImages(dropped, result({ ...bundle, path: '/made.dmg' })).mayChange).toBe(true)
    expect(droppedImage(['/a/b.SPARSEBUNDLE'])).toBe('/a/b.SPARSEBUNDLE')
    for (const others of [[], ['/a.txt'], ['/a.dmg', '/b.dmg'], ['/dmg']])
      expect(droppedImage(others)).toBeNull()
  })

  it('keeps its verification until another one is shown', () => {
    const verify = {
      schema: 'stowage.imageVerify/1' as const,
      path: bundle.path,
      bytesRead: 1,
      problems: [],
      sha256: null,
      elapsedMs: 1,
    }
    const verified = reduceImages(
      { ...opened, doing: 'verify' },
      { type: 'result', result: { image: bundle, verify } },
    )
    expect(verified).toMatchObject({ verify, did: 'verify', doing: null })
    const compacted = reduceImages(verified, { type: 'result', result: { image: bundle, verify: null } })
    expect(compacted.verify).toBe(verify)
    const other = { ...zip, path: '/other.dmg' }
    const converted = reduceImages(verified, { type: 'result', result: { image: other, verify: null } })
    expect(converted).toMatchObject({ image: other, verify: null, change: { verb: 'verify', kind: 'UDSB' } })
    expect(reduceImages(verified, { type: 'opened', image: other, mayChange: false }).verify).toBeNull()
  })

  it('holds no password, whatever is done', () => {
    const all: ImagesState = reduceImages(opened, { type: 'change', change: { verb: 'changePassword' } })
    expect(
      Object.keys({ ...all, ...all.form, ...all.change }).filter((key) => /password|secret/i.test(key)),
    ).toEqual([])
  })
})
