import {
  type Candidate,
  DISK_MEDIUM,
  type Option,
  type OptionsDocument,
  SYSTEMS,
} from '../../../../../src/contract/dto/options'
import type { Estimate } from '../../../../../src/primitives/estimate'
import { t } from '../../../copy'

/**
 * A candidate's name, which says how it differs from the other cards: the recommended option by
 * its gain over plain files, the smallest of encrypted ones as such. Of a preliminary estimate
 * nothing is the smallest.
 */
export function candidateName(
  { kind, gain, option }: Candidate,
  medium: string,
  { isSecret, isPreliminary }: { readonly isSecret: boolean; readonly isPreliminary: boolean },
): string {
  switch (kind) {
    case 'plain':
      return t(medium === DISK_MEDIUM ? 'candidate.plain.disk' : 'candidate.plain')
    case 'smallest':
      if (isPreliminary) return t('candidate.smallest.preliminary')
      return t(isSecret && option !== null ? 'candidate.smallest.secret' : 'candidate.smallest')
    case 'vault':
      return t('candidate.vault')
    case 'best':
      return gain === null ? (option?.shortName ?? t('candidate.best')) : t(`candidate.gain.${gain}`)
  }
}

/**
 * The kind of option that a candidate is; with its parameters where another one has the same short
 * name. Of plain files the medium.
 */
export function kindWords({ kind, option }: Candidate, others: readonly Candidate[]): string {
  if (option === null) return ''
  if (kind === 'plain') return option.mediumName
  const isShared = others.some(
    (other) => other.option?.shortName === option.shortName && other.option.variant !== option.variant,
  )
  return isShared ? option.name : option.shortName
}

/** From what is known best to what is known least. */
const PROVENANCES = ['exact', 'measured', 'modelled', 'assumed'] as const

/** The time until the set is there and checked: building, writing and verifying together. */
export function makeTime({ estimate }: Pick<Option, 'estimate'>): Estimate {
  const parts = [estimate.buildSeconds, estimate.writeSeconds, estimate.verifySeconds]
  const sum = (end: 'value' | 'low' | 'high'): number => parts.reduce((all, part) => all + part[end], 0)
  const least = Math.max(...parts.map(({ provenance }) => PROVENANCES.indexOf(provenance)))
  return {
    value: sum('value'),
    low: sum('low'),
    high: sum('high'),
    confidence: estimate.buildSeconds.confidence,
    provenance: PROVENANCES[least] ?? 'assumed',
    basis: t('candidate.time.basis', { text: estimate.buildSeconds.basis }),
  }
}

/**
 * Who reads an option, the easiest way on each system:
 * `Linux, nothing to install; macOS, Windows with 7-Zip`.
 */
export function readsWords({ ways }: Pick<Option, 'ways'>): string {
  const groups = new Map<string | null, string[]>()
  for (const system of SYSTEMS) {
    const way = ways.find((each) => each.system === system)
    if (!way) continue
    const tool = way.builtIn ? null : way.tool
    groups.set(tool, [...(groups.get(tool) ?? []), t(`system.${system}`)])
  }
  if (groups.size === 0) return t('reads.nowhere')
  return [...groups]
    .map(([tool, systems]) => {
      const isEvery = systems.length === SYSTEMS.length
      if (tool === null)
        return isEvery ? t('reads.anywhere') : t('reads.builtIn', { systems: systems.join(', ') })
      return isEvery
        ? t('reads.anywhere.tool', { tool })
        : t('reads.tool', { systems: systems.join(', '), tool })
    })
    .join('; ')
}

/** The same as short as a cell of a table: `any system`, `Linux, macOS`. */
export function shortReaders({ ways }: Pick<Option, 'ways'>): string {
  const able = SYSTEMS.filter((system) => ways.some((way) => way.system === system))
  if (able.length === 0) return t('reads.nowhere')
  if (able.length === SYSTEMS.length) return t('reads.short.any')
  return able.map((system) => t(`system.${system}`)).join(', ')
}

/** The answers that the options follow from, in one line; several media are shown apart. */
export function answersWords({ request, options }: OptionsDocument): string {
  const [medium, ...others] = request.mediumIds
  const name = options.find((option) => option.medium === medium)?.mediumName
  const { readableOn, inPlace } = request.limits
  const systems = readableOn.map((system) => t(`system.${system}`)).join(', ')
  return [
    ...(others.length > 0 || name === undefined ? [] : [name]),
    ...(systems === '' ? [] : [t('candidates.answers.systems', { systems })]),
    ...(inPlace ? [t('candidates.answers.inPlace')] : []),
    t(request.encryption === 'none' ? 'candidates.answers.plain' : 'candidates.answers.secret'),
    ...(request.goal === 'anywhere' ? [t('candidates.answers.decades')] : []),
  ].join(' · ')
}
