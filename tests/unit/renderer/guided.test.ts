import { describe, expect, it } from 'vitest'
import {
  answersWords,
  candidateName,
  kindWords,
  makeTime,
  readsWords,
} from '../../../renderer/src/steps/choose/candidates/candidateWords'
import {
  initialOptions,
  optionsRequestOf,
  reduceOptions,
} from '../../../renderer/src/steps/choose/optionsState'
import { usualMedia } from '../../../renderer/src/steps/choose/usualMedia'
import {
  type Answered,
  discOf,
  discOfSize,
  encryptionFor,
  goalFor,
  mediaOf,
  ownSizeOf,
  whereOf,
} from '../../../renderer/src/steps/source/answers'
import {
  type Candidate,
  type OptionsRequest,
  optionsRequestSchema,
  type ReadingWay,
} from '../../../src/contract/dto/options'
import { type Estimate, exact } from '../../../src/primitives/estimate'
import { FakeOptions } from '../../fixtures/fakeEngine/fakeOptions'
import { MEDIA } from '../../fixtures/fakeEngine/plans'

function requestOf(answers: Partial<Answered>): OptionsRequest | null {
  const { form } = reduceOptions(initialOptions, { type: 'set', form: { mediumIds: ['disk'], ...answers } })
  return optionsRequestOf('s1', form)
}

describe('where the archive goes', () => {
  it.each([
    ['discs', ['bd-r-25']],
    ['disk', ['disk']],
    ['both', ['bd-r-25', 'disk']],
  ] as const)('%s: is the media of the options, and is read back from them', (where, media) => {
    expect(mediaOf(where, 'bd-r-25')).toEqual(media)
    expect(whereOf(media)).toBe(where)
    expect(discOf(media)).toBe(where === 'disk' ? null : 'bd-r-25')
    expect(requestOf({ mediumIds: mediaOf(where, 'bd-r-25') })?.mediumIds).toEqual(media)
  })

  it('is a disk and the last disc while nobody has answered', () => {
    expect(usualMedia(MEDIA, 'dvd-r')).toEqual(['disk', 'dvd-r'])
    expect(usualMedia(MEDIA, 'custom:4GB')).toEqual(['disk'])
    expect(usualMedia([], 'dvd-r')).toEqual(['disk'])
  })

  it('may be discs of a size that is typed', () => {
    expect(discOfSize('4.7 GB', 'dvd-r')).toBe('custom:4.7GB')
    expect(discOfSize('  ', 'dvd-r')).toBe('dvd-r')
    expect(ownSizeOf('custom:4.7GB')).toBe('4.7GB')
    expect(ownSizeOf('dvd-r')).toBe('')
  })
})

describe('secrecy and certainty', () => {
  it('ask for AES-256, and keep another kind that is set', () => {
    expect(encryptionFor(true, 'none')).toBe('aes-256')
    expect(encryptionFor(true, 'aes-128')).toBe('aes-128')
    expect(encryptionFor(false, 'aes-128')).toBe('none')
    expect(requestOf({ encryption: encryptionFor(true, 'none') })?.encryption).toBe('aes-256')
  })

  it('put what is readable anywhere first, and leave another goal as it is', () => {
    expect(goalFor('decades', 'smallest')).toBe('anywhere')
    expect(goalFor('checked', 'anywhere')).toBe('balanced')
    expect(goalFor('checked', 'smallest')).toBe('smallest')
  })
})

describe('a candidate in words', () => {
  const way = (system: ReadingWay['system'], tool: string, builtIn = false): ReadingWay => ({
    task: 'unpack',
    system,
    tool,
    since: null,
    builtIn,
  })

  it.each([
    [
      [
        way('linux', 'the system', true),
        way('macos', 'the system', true),
        way('windows', 'the system', true),
      ],
      'Opens on any system, nothing to install',
    ],
    [
      [way('linux', '7-Zip'), way('macos', '7-Zip'), way('windows', '7-Zip')],
      'Opens with 7-Zip, free, on any system',
    ],
    [
      [way('linux', 'the system', true), way('macos', '7-Zip'), way('windows', '7-Zip')],
      'Linux: nothing to install; macOS, Windows: with 7-Zip, free',
    ],
    [[way('linux', 'borg')], 'Linux: with borg, free'],
    [[], 'Only Stowage'],
  ])('names who reads it', (ways, words) => {
    expect(readsWords({ ways })).toBe(words)
  })

  function about(value: number, low: number, high: number, provenance: Estimate['provenance']): Estimate {
    return { value, low, high, confidence: 0.95, provenance, basis: 'as given' }
  }

  it('adds up the time until it is checked, as certain as its least certain part', async () => {
    const fake = new FakeOptions({}, { id: 's1', roots: ['/a'], files: 10, bytes: 1e9 }).handlers(() => ({
      jobId: 'j',
    }))
    const document = await fake.list(optionsRequestSchema.parse({ surveyId: 's1', encryption: 'aes-256' }))
    const estimate = {
      ...(document.options[0] as (typeof document.options)[0]).estimate,
      buildSeconds: about(10, 8, 13, 'modelled'),
      writeSeconds: exact(0, 'nothing to write'),
      verifySeconds: about(5, 4, 7, 'assumed'),
    }
    expect(makeTime({ estimate })).toMatchObject({ value: 15, low: 12, high: 20, provenance: 'assumed' })
    expect(answersWords(document)).toBe('Disk · encrypted')
  })

  it('has a title that says how it differs from the other cards', async () => {
    const { list } = new FakeOptions({}, { id: 's1', roots: ['/a'], files: 10, bytes: 1e9 }).handlers(() => ({
      jobId: 'j',
    }))
    const { options } = await list(optionsRequestSchema.parse({ surveyId: 's1' }))
    const [one, other] = options.filter(({ family }) => family === 'squashfs')
    if (!one || !other) throw new Error('the list lacks options of one family')
    const shortName = 'SquashFS with zstd'
    const [first, second] = [
      { ...one, shortName },
      { ...other, shortName },
    ] as const
    const candidate = (kind: Candidate['kind'], option: Candidate['option'], gain: Candidate['gain']) => ({
      kind,
      option,
      because: 'as given',
      recommended: kind === 'best',
      gain,
    })
    const PLAIN = { isSecret: false, isPreliminary: false }
    const SECRET = { ...PLAIN, isSecret: true }
    const best = candidate('best', first, 'bytes')
    const smallest = candidate('smallest', second, 'bytes')
    expect(candidateName(best, 'disk', PLAIN)).toBe('Smaller')
    expect(candidateName(candidate('best', first, 'volumes'), 'bd-r-25', PLAIN)).toBe('Fewer discs')
    expect(candidateName(candidate('best', first, null), 'disk', SECRET)).toBe('SquashFS with zstd')
    expect(candidateName(smallest, 'disk', PLAIN)).toBe('Smallest')
    // Only a survey tells what is the smallest of all.
    expect(candidateName(smallest, 'disk', { ...PLAIN, isPreliminary: true })).toBe('Each file packed')
    expect(candidateName(smallest, 'disk', SECRET)).toBe('Smallest vault')
    expect(kindWords(best, [best])).toBe('SquashFS with zstd')
    expect(kindWords(best, [best, smallest])).toBe(first.name)
    expect(kindWords(smallest, [best, smallest])).toBe(second.name)
  })
})
