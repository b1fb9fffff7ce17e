import type { MachineFacts } from '../facts'
import { GOALS, type Goal } from '../optionsDocument'
import { easiestWay } from '../recipes/readingWays'
import type { Merits } from './merits'
import type { OptionRow } from './option'

export const PRESETS = GOALS.filter((goal) => goal !== 'own')

export type Weights = Merits

/**
 * How much each merit counts: a weight of 1 makes half the figure as good as one point. Presets of
 * our own making; balanced is what equal weights of a person's own give.
 */
const WEIGHTS: Readonly<Record<Exclude<Goal, 'own'>, Weights>> = {
  balanced: { bytes: 1, volumes: 1, buildSeconds: 1, restoreSeconds: 1, ramBytes: 1, portability: 1 },
  smallest: {
    bytes: 1,
    volumes: 0.2,
    buildSeconds: 0.002,
    restoreSeconds: 0.002,
    ramBytes: 0.002,
    portability: 0.01,
  },
  fastestBuild: {
    bytes: 0.1,
    volumes: 0.1,
    buildSeconds: 1,
    restoreSeconds: 0.05,
    ramBytes: 0.01,
    portability: 0.02,
  },
  fastestRestore: {
    bytes: 0.1,
    volumes: 0.1,
    buildSeconds: 0.1,
    restoreSeconds: 1,
    ramBytes: 0.01,
    portability: 0.02,
  },
  anywhere: {
    bytes: 0.15,
    volumes: 0.1,
    buildSeconds: 0.02,
    restoreSeconds: 0.05,
    ramBytes: 0.02,
    portability: 8,
  },
  live: { bytes: 0.7, volumes: 0.2, buildSeconds: 0.1, restoreSeconds: 0.1, ramBytes: 0.3, portability: 0.5 },
}

/**
 * The cost of the easiest way to the files on this machine under the goal `live`, in points;
 * mounted by a program, it is slower.
 */
const LIVE_TASK = { open: 0, mount: 0.5, unpack: 100 } as const
const LIVE_MOUNT_BY_PROGRAM = 1.5
/**
 * A format that only one program reads is not a format to leave behind, however widely that program
 * runs.
 */
const LASTING_ACCESS = { inPlace: 0, mount: 0.5, extract: 1 } as const

export function weightsOf(goal: Goal, own: Weights | null): Weights {
  if (goal === 'own') return own ?? WEIGHTS.balanced
  return WEIGHTS[goal]
}

/**
 * The place of an option for a goal, lower is better: for every merit the doublings over 1 byte,
 * second or volume times its weight, and what is missing of portability times its weight. Only
 * differences between options mean something.
 */
export function scoreOf(
  goal: Goal,
  weights: Weights,
  merits: Merits,
  option: Pick<OptionRow, 'access' | 'ways'>,
  { system }: Pick<MachineFacts, 'system'>,
): number {
  const { portability, ...figures } = merits
  let score = weights.portability * portability
  for (const [merit, value] of Object.entries(figures)) {
    score += weights[merit as keyof typeof figures] * Math.log2(value)
  }
  if (goal === 'live') score += liveCost(option, system)
  if (goal === 'anywhere') score += LASTING_ACCESS[option.access]
  return score
}

function liveCost({ ways }: Pick<OptionRow, 'ways'>, system: MachineFacts['system']): number {
  const way = easiestWay(ways, system)
  if (way === null) return LIVE_TASK.unpack
  return way.task === 'mount' && !way.builtIn ? LIVE_MOUNT_BY_PROGRAM : LIVE_TASK[way.task]
}
