import { describe, expect, it } from 'vitest'
import { composeOption } from '../../../../../src/domain/options/cost/compose'
import { DISK_FACTS } from '../../../../../src/domain/options/cost/mediumFacts'
import { appleImageFamily } from '../../../../../src/domain/options/families/appleImage'
import {
  factsFrom,
  knownFacts,
  knownSurvey,
  timesLarger,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

const MIB = 1024 * 1024

describe('Apple’s images', () => {
  it('include whole blocks of each file and the file system overhead, and note that it was not measured', () => {
    const survey = knownSurvey('tiny')
    const facts = knownFacts('tiny')
    const blocks = survey.fixedBlocks.find(({ blockSize }) => blockSize === 4096)?.blocks ?? 0
    const udrw = variantNamed(facts, 'udrw', appleImageFamily)
    expect(udrw.storedBytes.low).toBeGreaterThanOrEqual(blocks * 4096)
    expect(udrw.storedBytes).toMatchObject({ provenance: 'assumed' })
    expect(udrw.notes.join()).toContain('not measured')
    expect(udrw.makers).toEqual(['macos'])
  })

  it('are whole bands and a header for each thousand in a sparse image', () => {
    const facts = factsFrom(timesLarger(knownSurvey('disk'), 20))
    const disk = variantNamed(facts, 'udrw', appleImageFamily).storedBytes.value
    const sparse = variantNamed(facts, 'udsp', appleImageFamily).storedBytes.value
    const bands = Math.ceil(disk / MIB)
    expect(bands).toBeGreaterThan(1008)
    expect(sparse).toBe(bands * MIB + 4096 * (1 + Math.ceil((bands - 1008) / 1010)))
  })

  it('are a sparse bundle with a good number of bands at every size', () => {
    for (const factor of [1, 20, 400, 13_000]) {
      const { bands, recordBytes, storedFiles } = variantNamed(
        factsFrom(timesLarger(knownSurvey('disk'), factor)),
        'udsb',
      )
      expect(bands).toMatchObject({ bytes: recordBytes, from: 'rule' })
      expect(bands?.whenFull).toBeLessThanOrEqual(10_000)
      expect(bands?.inUse).toBeLessThanOrEqual(bands?.whenFull ?? 0)
      expect(storedFiles.value).toBe((bands?.inUse ?? 0) + 3)
      // 67.6 MB are too little for 2,000 bands of the least size.
      if (factor >= 400) expect(bands?.inUse).toBeGreaterThan(2000)
      else if (factor === 1) expect(bands?.because).toMatch(/slow below 1,000 in use/)
    }
  })

  it('offer ASIF with AES-256 only, as diskutil does', () => {
    const kindsOf = (name: string) => variantNamed(knownFacts('tiny'), name).encryption?.kinds
    expect(kindsOf('asif')).toEqual(['none', 'aes-256'])
    expect(kindsOf('udsb')).toEqual(['none', 'aes-128', 'aes-256'])
  })

  it('say of an encrypted UDZO image, and only of that, how few programs open it', () => {
    const facts = knownFacts('tiny')
    const notesOf = (name: string, encryption: 'none' | 'aes-256'): string =>
      composeOption(facts, variantNamed(facts, name), DISK_FACTS, { encryption, protection: 0 }).notes.join()
    expect(notesOf('udzo', 'aes-256')).toContain('Only Stowage and a Mac open it')
    expect(notesOf('udzo', 'none')).not.toContain('Only Stowage')
    expect(notesOf('7z-files', 'aes-256')).not.toContain('Only Stowage')
  })

  it('have a header of 122,368 bytes where they are encrypted', () => {
    const facts = knownFacts('tiny')
    for (const name of ['udzo', 'udrw', 'udsp', 'udsb']) {
      const variant = variantNamed(facts, name)
      const bytes = (encryption: 'none' | 'aes-256') =>
        composeOption(facts, variant, DISK_FACTS, { encryption, protection: 0 }).estimate.bytes
      expect(bytes('aes-256').low - bytes('none').low).toBe(122_368)
      expect(bytes('aes-256').high - bytes('none').high).toBe(122_368)
    }
  })

  it('take the CPU time of the ISO image in addition to that of compressing', () => {
    const facts = knownFacts('disk')
    const udzo = variantNamed(facts, 'udzo', appleImageFamily)
    expect(udzo.waitCpuSeconds?.value).toBe(variantNamed(facts, 'iso').packSeconds.value)
    // Half of the set is zeros, which cost next to nothing.
    const { bytes } = facts.survey.totals
    expect(udzo.packSeconds.value).toBeLessThan((bytes * 9e-9) / (facts.machine.pace ?? 1))
    expect(udzo.packSeconds.value).toBeGreaterThan((bytes * 0.5e-9) / (facts.machine.pace ?? 1))
  })

  it('are compressed like records of the chunk size', () => {
    const survey = knownSurvey('disk')
    const row = survey.compression.find(({ codec, recordSize }) => codec === 'gzip-6' && recordSize === MIB)
    const udzo = variantNamed(knownFacts('disk'), 'udzo', appleImageFamily)
    // By another zlib than the one of the samples.
    expect(udzo.storedBytes.value / (row?.predictedBytes ?? 0)).toBeGreaterThan(1.005)
    expect(udzo.storedBytes.value / (row?.predictedBytes ?? 0)).toBeLessThan(1.025)
    const unsampled = { ...survey, compression: [] }
    expect(appleImageFamily.variants(factsFrom(unsampled)).map(({ name }) => name)).not.toContain('udzo')
  })
})
