import type { Merits, OptionRow } from './option'

export const GOALS = [
  'balanced',
  'smallest',
  'fastestBuild',
  'fastestRestore',
  'anywhere',
  'live',
  'own',
] as const
export type Goal = (typeof GOALS)[number]
export const PRESETS = GOALS.filter((goal) => goal !== 'own')

export type Weights = Merits

/** How much each merit counts: a weight of 1 makes half the figure as good as one point. Presets of our own making. */
const WEIGHTS: Readonly<Record<Exclude<Goal, 'own'>, Weights>> = {
  balanced: {
    bytes: 1,
    volumes: 0.3,
    buildSeconds: 0.25,
    restoreSeconds: 0.25,
    ramBytes: 0.1,
    portability: 1,
  },
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
    buildSeconds: 0.05,
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

/** What access costs under the goal `live`, in points. */
const LIVE_ACCESS = { inPlace: 0, mount: 0.5, extract: 100 } as const
/** A format that only one program reads is no format to leave behind, however widely that program runs. */
const LASTING_ACCESS = { inPlace: 0, mount: 0.5, extract: 1 } as const

export function weightsOf(goal: Goal, own: Weights | null): Weights {
  if (goal === 'own') return own ?? WEIGHTS.balanced
  return WEIGHTS[goal]
}

/**
 * The place of an option for a goal, lower is better: for every merit the doublings over 1 byte, second or volume times its weight,
 * and what is missing of portability times its weight. Only differences between options mean something.
 */
export function scoreOf(
  goal: Goal,
  weights: Weights,
  merits: Merits,
  option: Pick<OptionRow, 'access'>,
): number {
  const { portability, ...figures } = merits
  let score = weights.portability * portability
  for (const [merit, value] of Object.entries(figures)) {
    score += weights[merit as keyof typeof figures] * Math.log2(value)
  }
  if (goal === 'live') score += LIVE_ACCESS[option.access]
  if (goal === 'anywhere') score += LASTING_ACCESS[option.access]
  return score
}
