import { describe, expect, it } from 'vitest'
import { resolveMedium } from '../../../../src/domain/media/resolveMedium'
import { PRESETS } from '../../../../src/domain/options/choice/goals'
import type { Ability } from '../../../../src/domain/options/choice/here'
import type { OptionRow } from '../../../../src/domain/options/choice/option'
import { stepsOf } from '../../../../src/domain/options/choice/simplicity'
import { DISK_FACTS, mediumFacts } from '../../../../src/domain/options/cost/mediumFacts'
import { allVariants } from '../../../../src/domain/options/families/registry'
import { type ListedOption, listOptions, type OptionsList } from '../../../../src/domain/options/listOptions'
import { mediaCatalogue } from '../../../../src/engine/media/mediaCatalogue'
import { factsFrom, knownSurvey, timesLarger } from '../../../fixtures/options/optionFacts'
import { FORECAST, WHOLE } from './optionUnderTest'

/** Sources of 4.2 GB, so that times and sizes are over the floors. */
const FACTS = factsFrom(timesLarger(knownSurvey('source'), 100))
const VARIANTS = allVariants(FACTS)
const DISC = mediumFacts(mediaCatalogue, resolveMedium(mediaCatalogue, 'bd-r-25'))
type Preferences = Parameters<typeof listOptions>[3]
const PREFERENCES: Preferences = {
  goal: 'balanced',
  weights: null,
  encryption: 'none',
  protection: 0,
  limits: {
    bytes: null,
    volumes: null,
    seconds: null,
    ramBytes: null,
    readableOn: [],
    inPlace: false,
    container: null,
  },
}

/** Builders as they are on a machine with all programs. */
function usual({ family, variant }: OptionRow): Ability {
  if (['zfs', 'kopia', 'apple-image'].includes(family) && variant !== 'udzo') return FORECAST
  const isProof = family === 'blocks' || variant.startsWith('7z-titles+blocks')
  return isProof ? { ...FORECAST, build: WHOLE.build } : WHOLE
}

function listed(
  preferences: Partial<Preferences> = {},
  abilityOf: (option: OptionRow) => Ability = usual,
  media = [DISK_FACTS],
): OptionsList {
  return listOptions(FACTS, VARIANTS, media, { ...PREFERENCES, ...preferences }, abilityOf)
}

function named({ options }: OptionsList, id: string): ListedOption {
  const found = options.find((option) => option.id === id)
  if (!found) throw new Error(`no option ${id}`)
  return found
}

function smallest({ recommended }: OptionsList): string | undefined {
  return recommended.find(({ goal }) => goal === 'smallest')?.id
}

describe('goals that name an extreme', () => {
  const carriedOut = (list: OptionsList) => list.options.filter(({ here }) => here.can === 'restore')

  it('take it of all that can be carried out, and list it as a trade-off', () => {
    for (const media of [[DISK_FACTS], [DISC]]) {
      const list = listed({}, usual, media)
      const least = Math.min(...carriedOut(list).map(({ estimate }) => estimate.bytes.value))
      const option = named(list, smallest(list) ?? '')
      expect(option.estimate.bytes.value).toBeLessThanOrEqual(least * 1.02)
      for (const { id } of list.recommended)
        expect(named(list, id)).toMatchObject({ pareto: true, beatenBy: null })
    }
  })

  it('take no hard links for files that are edited or kept anywhere', () => {
    const list = listed()
    for (const { goal, id } of list.recommended)
      if (goal === 'anywhere' || goal === 'live') expect(id).not.toContain('hardlinks')
    expect(list.options.some(({ variant }) => variant === 'plain-hardlinks')).toBe(true)
  })
})

describe('constraints', () => {
  it('remove options before dominance is computed, and these are listed last with what they break', () => {
    const free = listed()
    const best = named(free, smallest(free) ?? '')
    expect(best.pareto).toBe(true)
    const underIt = free.options.filter(({ beatenBy }) => beatenBy?.id === best.id)
    expect(underIt.length).toBeGreaterThan(0)
    const limits = { ...PREFERENCES.limits, seconds: best.estimate.buildSeconds.high - 1 }
    const limited = listed({ limits })
    expect(named(limited, best.id)).toMatchObject({ breaks: ['seconds'], pareto: false, beatenBy: null })
    expect(limited.options.filter(({ beatenBy }) => beatenBy?.id === best.id)).toEqual([])
    const first = limited.options.findIndex(({ breaks }) => breaks.length > 0)
    expect(limited.options.slice(first).every(({ breaks }) => breaks.length > 0)).toBe(true)
    expect(smallest(limited)).not.toBe(best.id)
  })

  it('are none by default: repositories that always encrypt are compared', () => {
    const { breaks, pareto, beatenBy } = named(listed(), 'restic-auto@disk')
    expect(breaks).toEqual([])
    expect(pareto || beatenBy !== null).toBe(true)
  })
})

describe('what cannot be carried out here', () => {
  it('is never recommended and dominates nothing, however small it is forecast', () => {
    const all = listed({}, () => WHOLE)
    const best = smallest(all) ?? ''
    const without = listed({}, (option) => (option.id === best ? FORECAST : WHOLE))
    expect(named(without, best)).toMatchObject({
      pareto: false,
      beatenBy: null,
      breaks: [],
      here: { can: 'forecast', because: 'nothing builds it' },
    })
    expect(without.recommended.map(({ id }) => id)).not.toContain(best)
    expect(without.options.filter(({ beatenBy }) => beatenBy?.id === best)).toEqual([])
  })

  it('is ZFS, kopia and proof stores, which are listed behind what can', () => {
    const { options, recommended } = listed()
    expect(new Set(recommended.map(({ id }) => named(listed(), id).here.can))).toEqual(new Set(['restore']))
    const can = options.map(({ here }) => here.can)
    expect(can.lastIndexOf('restore')).toBeLessThan(can.indexOf('build'))
    expect(can.lastIndexOf('restore')).toBeLessThan(can.indexOf('forecast'))
    for (const { family, here } of options) {
      if (family === 'zfs' || family === 'kopia') expect(here.can).toBe('forecast')
      if (family === 'blocks') expect(here.can).toBe('build')
    }
  })

  it('does not include containers for a Mac that are planned here and built there', () => {
    const planned: Ability = { ...FORECAST, plan: WHOLE.plan, withoutDemands: true }
    const limits = { ...PREFERENCES.limits, container: 'udsb' }
    const { recommended, impossible, options } = listed({ limits }, () => planned)
    expect(impossible).toBeNull()
    expect(new Set(recommended.map(({ id }) => id))).toEqual(new Set(['udsb@disk']))
    expect(options[0]).toMatchObject({ id: 'udsb@disk', here: { can: 'plan' } })
    // They take the place of nothing that is built here, although they are made in a tenth of the time.
    const both = listed({ encryption: 'aes-256' }, ({ family }) =>
      family === 'apple-image' ? planned : WHOLE,
    )
    for (const { id } of both.recommended) expect(named(both, id).here.can).toBe('restore')
    for (const { beatenBy, here } of both.options)
      if (here.can === 'restore' && beatenBy) expect(named(both, beatenBy.id).here.can).toBe('restore')
  })
})

it('an archive by the rules of torrent7z is less simple than an ordinary one, and recommended for no goal', () => {
  const list = listed()
  const [own, ordinary] = ['7z-t7z@disk', '7z-solid-64m-type@disk'].map((id) => named(list, id))
  expect(stepsOf(own as ListedOption, FACTS.machine)).toBeGreaterThan(
    stepsOf(ordinary as ListedOption, FACTS.machine),
  )
  expect(list.recommended.map(({ id }) => id)).not.toContain('7z-t7z@disk')
})

describe('recommendations', () => {
  it('name the best for every goal on every medium, and one of them overall', () => {
    const list = listed({}, usual, [DISC, DISK_FACTS])
    expect(list.recommended.map(({ goal, medium }) => `${goal} ${medium}`)).toEqual(
      PRESETS.flatMap((goal) => [`${goal} bd-r-25`, `${goal} disk`]),
    )
    for (const { medium, id } of list.recommended) expect(named(list, id).medium).toBe(medium)
    for (const { goal, id } of list.presets)
      expect(list.recommended.filter((each) => each.goal === goal).map((each) => each.id)).toContain(id)
    expect(list.presets.find(({ goal }) => goal === 'balanced')?.id).toBe(list.chosen?.id)
    expect(list.options[0]?.id).toBe(list.chosen?.id)
    expect(list.options.find(({ medium }) => medium === 'bd-r-25')?.pareto).toBe(true)
  })

  it('have a reason of one sentence that names what decided', () => {
    const { recommended } = listed()
    for (const { id, because } of recommended) {
      expect(because.match(/\.(?:\s|$)/g), because).toHaveLength(1)
      expect(because.startsWith(named(listed(), id).shortName), because).toBe(true)
    }
    const limits = { ...PREFERENCES.limits, container: 'squashfs' }
    const { chosen } = listed({ limits }, ({ variant }) =>
      variant === 'squashfs-zstd-3-1m' ? WHOLE : FORECAST,
    )
    expect(chosen?.because).toMatch(
      /^SquashFS with zstd: \d+ MB, mounts on Linux, restores in .+; nothing else is possible\.$/,
    )
    const against = listed({}, ({ variant }) =>
      ['squashfs-zstd-3-1m', 'plain'].includes(variant) ? WHOLE : FORECAST,
    )
    expect(against.chosen?.because).toMatch(
      /^SquashFS with zstd: \d+ MB instead of 4\.19 GB, mounts on Linux, restores in .+; plain files would be readable everywhere\.$/,
    )
  })

  it('take the simpler of two options that differ by less than anybody feels', () => {
    const small = factsFrom(knownSurvey('source'))
    const { recommended, options } = listOptions(small, allVariants(small), [DISK_FACTS], PREFERENCES, usual)
    // Seconds of building and megabytes of memory do not count: what is a tenth as large wins in balance.
    const balanced = recommended.find(({ goal }) => goal === 'balanced')
    const chosen = options.find(({ id }) => id === balanced?.id)
    const plain = options.find(({ id }) => id === 'plain@disk')
    expect(plain && chosen && chosen.estimate.bytes.value / plain.estimate.bytes.value).toBeLessThan(0.5)
    expect(chosen?.order).not.toBe('content')
  })
})

describe('a dominated option', () => {
  it('says in few words by what and in what', () => {
    const { options } = listed()
    const dominated = options.filter(({ beatenBy }) => beatenBy !== null)
    expect(dominated.length).toBeGreaterThan(20)
    for (const { beatenBy } of dominated) {
      expect(beatenBy?.because.length).toBeLessThan(120)
      expect(beatenBy?.because).not.toMatch(/\d{4,} times|NaN|undefined/)
      const winner = named({ options } as OptionsList, beatenBy?.id ?? '')
      expect(winner.pareto).toBe(true)
      expect([winner.name, winner.shortName].some((name) => beatenBy?.because.startsWith(name))).toBe(true)
    }
  })
})
