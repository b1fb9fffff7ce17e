import { describe, expect, it } from 'vitest'
import { type Ability, hereOf } from '../../../../../src/domain/options/choice/here'
import { impossible, type Judged } from '../../../../../src/domain/options/choice/impossible'
import { type Break, breaksOf } from '../../../../../src/domain/options/choice/limits'
import type { OptionRow } from '../../../../../src/domain/options/choice/option'
import type { OptionLimits } from '../../../../../src/domain/options/optionsDocument'
import { readingWays } from '../../../../../src/domain/options/recipes/readingWays'
import type { Encryption, System } from '../../../../../src/domain/options/recipes/variant'
import { exact } from '../../../../../src/primitives/estimate'
import { about, FORECAST, optionUnderTest, readerOf, WHOLE } from '../optionUnderTest'

const FREE: OptionLimits = {
  bytes: null,
  volumes: null,
  seconds: null,
  ramBytes: null,
  readableOn: [],
  inPlace: false,
  container: null,
}
const EVERYWHERE: readonly System[] = ['linux', 'macos', 'windows']

function judge(
  options: readonly OptionRow[],
  limits: OptionLimits,
  {
    makers = () => EVERYWHERE,
    fits = true,
    abilityOf = () => WHOLE,
    encryption = 'none',
    protection = 0,
  }: {
    makers?: (option: OptionRow) => readonly System[]
    fits?: boolean
    abilityOf?: (option: OptionRow) => Ability
    encryption?: Encryption
    protection?: number
  } = {},
): Judged[] {
  return options.map((option, score) => {
    const ability = abilityOf(option)
    const place = { makers: makers(option), system: 'linux', fits, ability } as const
    return {
      option,
      score,
      breaks: breaksOf(option, place, { limits, encryption, protection }),
      here: hereOf(ability),
      isFeasible: ability.withoutDemands,
    }
  })
}

/** The answer without encryption and recovery data, on Linux. */
function answerTo(judged: readonly Judged[], limits: OptionLimits, largestFileBytes = 1e6) {
  const demands = { limits, encryption: 'none', protection: 0 } as const
  return impossible(judged, demands, { system: 'linux', largestFileBytes })
}

const small = optionUnderTest('small', { bytes: about(4e8), ramBytes: about(2e9) })
const lean = optionUnderTest('lean', { bytes: about(9e8), ramBytes: { ...about(5e7), high: 55e6 } })

describe('limits', () => {
  it('apply to the upper end of a range, and an equal figure meets them', () => {
    const option = optionUnderTest('one', { bytes: { ...about(100), high: 110 }, volumes: exact(3, 'three') })
    const breaks = (limits: Partial<OptionLimits>): Break[] =>
      judge([option], { ...FREE, ...limits })[0]?.breaks as Break[]
    expect(breaks({ bytes: 109 })).toEqual(['bytes'])
    expect(breaks({ bytes: 110, volumes: 3 })).toEqual([])
    expect(breaks({ volumes: 2, seconds: 50 })).toEqual(['volumes', 'seconds'])
    expect(breaks({ readableOn: ['linux', 'windows'], inPlace: true, container: 'iso' })).toEqual([
      'readableOn',
      'inPlace',
      'container',
    ])
  })

  it('do not forbid what always encrypts when no encryption is requested', () => {
    const restic = optionUnderTest('restic', {}, { encryption: 'aes-256' })
    expect(judge([restic], FREE)[0]?.breaks).toEqual([])
    expect(judge([restic], FREE, { encryption: 'aes-256' })[0]?.breaks).toEqual([])
    expect(judge([restic], FREE, { encryption: 'aes-128' })[0]?.breaks).toEqual(['encryption'])
    const plain = optionUnderTest('plain')
    expect(judge([plain], FREE, { encryption: 'aes-256' })[0]?.breaks).toEqual(['encryption'])
  })

  it('are not broken by the system where the option is planned for another one', () => {
    const makers = (): readonly System[] => ['macos']
    const planned = { ...WHOLE, build: { possible: false, because: 'only macOS can write it' } }
    const breaks = (ability: Ability): Break[] =>
      judge([small], FREE, { makers, abilityOf: () => ability })[0]?.breaks as Break[]
    expect(breaks(planned)).toEqual([])
    expect(breaks(FORECAST)).toEqual(['system'])
  })

  it('ask by task: what 7-Zip unpacks on Windows is readable there and not usable in place', () => {
    const readers = [readerOf('mount', ['linux'], true), readerOf('unpack', ['macos', 'windows'])]
    const squashfs = optionUnderTest('squashfs', {}, { access: 'mount', ways: readingWays(readers) })
    const breaks = (limits: Partial<OptionLimits>): Break[] =>
      judge([squashfs], { ...FREE, ...limits })[0]?.breaks as Break[]
    expect(breaks({ readableOn: ['windows'] })).toEqual([])
    expect(breaks({ inPlace: true })).toEqual([])
    expect(breaks({ inPlace: true, readableOn: ['linux'] })).toEqual([])
    expect(breaks({ inPlace: true, readableOn: ['linux', 'windows'] })).toEqual(['inPlace'])
  })

  it('count memory in use as well as memory to build', () => {
    const zfs = optionUnderTest('zfs', { ramBytes: about(1e6), useRamBytes: about(1e9) })
    expect(judge([zfs], { ...FREE, ramBytes: 5e8 })[0]?.breaks).toEqual(['ramBytes'])
  })
})

describe('impossible limits', () => {
  it('is answered with the option that misses a limit by the least, and how far to go', () => {
    const limits = { ...FREE, ramBytes: 1e7 }
    const answer = answerTo(judge([small, lean], limits), limits)
    expect(answer.nearest).toBe('lean')
    expect(answer.because).toBe('every option may need 55.0 MB of memory or more, over the limit of 10.0 MB')
    expect(answer.relax).toEqual([
      { limit: 'ramBytes', from: 1e7, to: 55e6, text: 'allow 55.0 MB of memory instead of 10.0 MB' },
    ])
    // What it says to allow makes it possible.
    const relaxed = { ...FREE, ramBytes: answer.relax[0]?.to ?? 0 }
    expect(judge([lean], relaxed)[0]?.breaks).toEqual([])
  })

  it('distinguishes limits that cannot be met together from one that cannot be met', () => {
    const limits = { ...FREE, bytes: 5e8, ramBytes: 1e8 }
    const answer = answerTo(judge([small, lean], limits), limits)
    expect(answer.because).toBe('each limit can be met alone, but no option meets all of them')
    expect(answer.nearest).toBe('lean')
    expect(answer.relax.map(({ limit }) => limit)).toEqual(['bytes'])
  })

  it('names the system where a container can be made only elsewhere, and one that can be made here', () => {
    const asif = optionUnderTest('asif', {}, { container: 'asif', name: 'ASIF image' })
    const limits = { ...FREE, container: 'asif' }
    const makers = ({ id }: OptionRow): readonly System[] => (id === 'asif' ? ['macos'] : EVERYWHERE)
    const abilityOf = ({ id }: OptionRow): Ability => (id === 'asif' ? FORECAST : WHOLE)
    const answer = answerTo(judge([asif, lean], limits, { makers, abilityOf }), limits)
    expect(answer).toMatchObject({ because: 'ASIF image cannot be made on linux', nearest: 'lean' })
    expect(answer.relax[0]?.text).toBe('take 7z instead of asif')
  })

  it('gives the reason where the requested container is only forecast', () => {
    const zfs = optionUnderTest('zfs', {}, { container: 'zfs', shortName: 'ZFS' })
    const limits = { ...FREE, container: 'zfs' }
    const abilityOf = ({ id }: OptionRow): Ability => (id === 'zfs' ? FORECAST : WHOLE)
    const answer = answerTo(judge([zfs, lean], limits, { abilityOf }), limits)
    expect(answer).toMatchObject({
      because: 'ZFS is not carried out here: nothing builds it',
      nearest: 'lean',
    })
  })

  it('asks to do without recovery data where no builder adds it', () => {
    const refused = { ...FORECAST, withoutDemands: true }
    const judged = judge([small, lean], FREE, { protection: 0.1, abilityOf: () => refused })
    expect(judged.map(({ breaks }) => breaks)).toEqual([['protection'], ['protection']])
    const demands = { limits: FREE, encryption: 'none', protection: 0.1 } as const
    const answer = impossible(judged, demands, { system: 'linux', largestFileBytes: 1 })
    expect(answer).toMatchObject({
      because: 'Stowage cannot add recovery data to any option yet',
      nearest: 'small',
      relax: [{ limit: 'protection', from: 0.1, to: 0 }],
    })
  })

  it('names the file that no volume holds, where nothing may be cut', () => {
    const judged = judge([small, lean], FREE, { fits: false })
    const answer = answerTo(judged, FREE, 5e9)
    expect(answer.nearest).toBeNull()
    expect(answer.because).toBe('a file of 5.00 GB must be on one volume, and no volume is large enough')
    expect(answer.relax[0]).toMatchObject({ limit: 'medium', to: 5e9 })
  })

  it('is refused where something is possible', () => {
    expect(() => answerTo(judge([small], FREE), FREE)).toThrow(/possible/)
  })

  it('counts writing to the medium within the time that is allowed', () => {
    const option = optionUnderTest('disc', { buildSeconds: about(100), writeSeconds: about(100) })
    expect(judge([option], { ...FREE, seconds: 219 })[0]?.breaks).toEqual(['seconds'])
    expect(judge([option], { ...FREE, seconds: 221 })[0]?.breaks).toEqual([])
  })

  it('takes the better score of two that miss the limits by as much', () => {
    const limits = { ...FREE, bytes: 1 }
    const [first, second] = judge([optionUnderTest('one'), optionUnderTest('other')], limits) as [
      Judged,
      Judged,
    ]
    for (const judged of [
      [first, second],
      [second, first],
    ])
      expect(answerTo(judged, limits).nearest).toBe('one')
  })
})
