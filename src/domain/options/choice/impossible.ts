import { AppError } from '../../../primitives/appError'
import { formatCount, formatSize } from '../../../primitives/quantity'
import { said, saidAll } from '../../../primitives/said'
import { formatDuration, formatForecast } from '../../../primitives/spokenTime'
import type { OptionHere, OptionLimits } from '../optionsDocument'
import type { System } from '../recipes/variant'
import { isCarriedOut } from './here'
import { type Break, type Demands, HARD, limitedFigure, NUMERIC_LIMITS, unreadableOn } from './limits'
import type { OptionRow } from './option'

/** One limit that would have to give, with how far where it is a number. */
interface Relaxation {
  readonly limit: Break
  readonly from: number | null
  readonly to: number | null
  readonly text: string
}

export interface Impossible {
  readonly because: string
  readonly nearest: string | null
  readonly relax: readonly Relaxation[]
}

/** An option with what it breaks. */
export interface Judged {
  readonly option: OptionRow
  readonly breaks: readonly Break[]
  readonly here: OptionHere
  /** True when it could be carried out if neither encryption nor recovery data were requested. */
  readonly isFeasible: boolean
  readonly score: number
}

interface Where {
  readonly system: System
  readonly largestFileBytes: number
}

/** The weight of a demand that is not a number, in doublings of one that is. */
const COST_OF_DEMAND = { readableOn: 2, inPlace: 2, container: 3, encryption: 3, protection: 3 } as const

/**
 * The answer to limits that no option meets: the option that misses them by the least (in
 * doublings, summed), and the limits to relax for it. Options that cannot be carried out here, or
 * whose pieces are larger than a volume, are nearest to nobody.
 * @throws AppError `internal` if an option meets all limits
 */
export function impossible(
  judged: readonly Judged[],
  demands: Demands,
  { system, largestFileBytes }: Where,
): Impossible {
  if (judged.some(({ breaks, here }) => breaks.length === 0 && isCarriedOut(here)))
    throw new AppError('internal', 'it is possible')
  const { limits } = demands
  const able = judged.filter(
    ({ breaks, isFeasible }) => isFeasible && !HARD.some((hard) => breaks.includes(hard)),
  )
  const requested = requestedContainer(judged, limits, system)
  if (able.length === 0) {
    return {
      because: requested ?? becauseOfHard(judged, largestFileBytes),
      nearest: null,
      relax: [
        {
          limit: 'medium',
          from: null,
          to: largestFileBytes,
          text: said`choose a medium that holds ${formatSize(largestFileBytes)}, or a container that can be split, such as a solid archive`,
        },
      ],
    }
  }
  const nearest = able.reduce((best, each) => (isNearer(each, best, limits) ? each : best))
  return {
    because: requested ?? becauseOf(able, limits),
    nearest: nearest.option.id,
    relax: nearest.breaks.map((limit) => relaxation(limit, nearest.option, demands)),
  }
}

function isNearer(one: Judged, best: Judged, limits: OptionLimits): boolean {
  const [first, second] = [missedBy(one, limits), missedBy(best, limits)]
  return first < second || (first === second && one.score < best.score)
}

/** Doublings over each numeric limit, and the cost of each other demand. */
function missedBy({ option, breaks }: Judged, limits: OptionLimits): number {
  return breaks.reduce((sum, limit) => {
    const numeric = NUMERIC_LIMITS.find((each) => each === limit)
    if (numeric) return sum + Math.log2(limitedFigure(option, numeric) / Math.max(1, limits[numeric] ?? 1))
    return sum + (COST_OF_DEMAND[limit as keyof typeof COST_OF_DEMAND] ?? 0)
  }, 0)
}

function relaxation(limit: Break, option: OptionRow, { limits, protection }: Demands): Relaxation {
  const numeric = NUMERIC_LIMITS.find((each) => each === limit)
  if (numeric) {
    const to = roundedUp(limitedFigure(option, numeric))
    return { limit, from: limits[numeric], to, text: numericText(numeric, limits[numeric] ?? 0, to) }
  }
  if (limit === 'protection') return { limit, from: protection, to: 0, text: said`do without recovery data` }
  const words: Partial<Record<Break, string>> = {
    readableOn: said`give up reading on ${saidAll(unreadableOn(option, limits.readableOn))}`,
    encryption: said`encrypt the disk that it is stored on instead`,
    inPlace: said`accept that files are unpacked before they are used`,
    container: said`take ${option.container} instead of ${limits.container ?? ''}`,
  }
  return { limit, from: null, to: null, text: words[limit] ?? limit }
}

function numericText(limit: (typeof NUMERIC_LIMITS)[number], from: number, to: number): string {
  if (limit === 'volumes') return said`allow ${formatCount(to)} volumes instead of ${formatCount(from)}`
  if (limit === 'seconds')
    return said`allow ${formatDuration(to * 1000)} instead of ${formatDuration(from * 1000)} to build and write it`
  const what = limit === 'bytes' ? said`of space` : said`of memory`
  return said`allow ${formatSize(to)} ${what} instead of ${formatSize(from)}`
}

/** Two digits, upwards: what was asked for shall be kept to then. */
function roundedUp(value: number): number {
  if (value <= 0) return 0
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return Math.ceil(value / step) * step
}

/** A container that this system cannot make, or that is not known for this source. */
function requestedContainer(judged: readonly Judged[], limits: OptionLimits, system: System): string | null {
  const { container } = limits
  if (container === null) return null
  const own = judged.filter(({ option }) => option.container === container)
  if (own.length === 0) return said`there is no forecast of ${container} for this source`
  if (own.every(({ breaks }) => breaks.includes('system'))) {
    return said`${own[0]?.option.name ?? container} cannot be made on ${system}`
  }
  if (own.every(({ isFeasible }) => !isFeasible)) {
    const [{ option, here }] = own as [Judged]
    return said`${option.shortName} is not carried out here: ${here.because ?? said`it is only forecast`}`
  }
  return null
}

function becauseOfHard(judged: readonly Judged[], largestFileBytes: number): string {
  const isTooSmall = judged.some(({ breaks }) => breaks.includes('medium'))
  return isTooSmall
    ? said`a file of ${formatSize(largestFileBytes)} must be on one volume, and no volume is large enough`
    : said`no such option can be built here`
}

/** Each limit alone may be possible: then it is their combination. */
function becauseOf(able: readonly Judged[], limits: OptionLimits): string {
  for (const limit of NUMERIC_LIMITS) {
    const most = limits[limit]
    if (most === null || !able.every(({ breaks }) => breaks.includes(limit))) continue
    const least = Math.min(...able.map(({ option }) => limitedFigure(option, limit)))
    return leastText(limit, least, most)
  }
  for (const demand of ['readableOn', 'inPlace', 'container', 'encryption', 'protection'] as const) {
    if (able.every(({ breaks }) => breaks.includes(demand))) return demandText(demand)
  }
  return said`each limit can be met alone, but no option meets all of them`
}

function leastText(limit: (typeof NUMERIC_LIMITS)[number], least: number, most: number): string {
  if (limit === 'volumes') return said`every option may need ${formatCount(least)} volumes or more`
  if (limit === 'seconds')
    return said`every option may take ${formatForecast(least)} or more, over the limit of ${formatDuration(most * 1000)}`
  const what = limit === 'bytes' ? said`space` : said`memory`
  return said`every option may need ${formatSize(least)} of ${what} or more, over the limit of ${formatSize(most)}`
}

function demandText(demand: keyof typeof COST_OF_DEMAND): string {
  if (demand === 'encryption') return said`no option can be encrypted this way`
  if (demand === 'protection') return said`Stowage cannot add recovery data to any option yet`
  if (demand === 'readableOn') return said`no option is readable on all of these systems`
  return demand === 'inPlace' ? said`no option can be used in place` : said`that container is not possible`
}
