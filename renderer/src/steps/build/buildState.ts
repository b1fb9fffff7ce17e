import type { PlanDocument } from '../../../../src/contract/dto/plan'
import type { RunDocument } from '../../../../src/contract/dto/run'

export interface BuildState {
  /** The folder that the plan to be built was exported to. */
  readonly directory: string | null
  /** The plan in that folder. */
  readonly plan: PlanDocument | null
  /** Volumes picked; all when empty. */
  readonly picked: readonly number[]
  /** Pack and build one volume after another. */
  readonly stream: boolean
  readonly build: RunDocument | null
  readonly verify: RunDocument | null
}

export type BuildAction =
  | { type: 'opened'; directory: string; plan: PlanDocument }
  | { type: 'picked'; index: number; on: boolean }
  | { type: 'stream'; on: boolean }
  | { type: 'ran'; run: RunDocument }

export const initialBuild: BuildState = {
  directory: null,
  plan: null,
  picked: [],
  stream: false,
  build: null,
  verify: null,
}

export function reduceBuild(state: BuildState, action: BuildAction): BuildState {
  switch (action.type) {
    case 'opened':
      return state.directory === action.directory && state.plan?.id === action.plan.id
        ? state
        : { ...initialBuild, directory: action.directory, plan: action.plan }
    case 'picked': {
      const others = state.picked.filter((index) => index !== action.index)
      return {
        ...state,
        picked: action.on ? [...others, action.index].sort((one, other) => one - other) : others,
      }
    }
    case 'stream':
      return { ...state, stream: action.on }
    case 'ran':
      if (state.directory !== null && action.run.directory !== state.directory) return state
      // What was verified before is no longer there.
      if (action.run.kind === 'build') {
        const isRebuilt = action.run.volumes.some(({ state: volume }) => volume !== 'kept')
        return { ...state, build: action.run, verify: isRebuilt ? null : state.verify }
      }
      return { ...state, verify: action.run }
  }
}

/** One line of the build table: forecast vs. actual. */
export interface BuildRow {
  readonly index: number
  readonly label: string
  readonly files: number
  readonly bytes: number
  /** Null where the build needed a volume that was not forecast. */
  readonly forecastSectors: number | null
  readonly actualSectors: number | null
  readonly build: RunDocument['volumes'][number] | null
  readonly verify: RunDocument['volumes'][number] | null
}

/**
 * The plan's volumes joined with what the last build and the last verification said of them. A packed plan may be built with
 * more or fewer volumes than were forecast.
 */
export function buildRows({ plan, build, verify }: BuildState): BuildRow[] {
  const planned = plan?.volumes ?? []
  const runs = [...(build?.volumes ?? []), ...(verify?.volumes ?? [])]
  const indexes = new Set([...planned, ...(plan?.packing ? runs : [])].map(({ index }) => index))
  return [...indexes].flatMap((index) => {
    const of = <T extends { readonly index: number }>(volumes: readonly T[] | undefined): T | null =>
      volumes?.find((volume) => volume.index === index) ?? null
    const [volume, built, verified] = [of(planned), of(build?.volumes), of(verify?.volumes)]
    // Packing may have moved files: what is in a volume that was built is what its run says.
    const about = plan?.packing && built?.actualSectors != null ? built : (volume ?? built ?? verified)
    if (!about) return []
    return {
      index,
      label: about.label,
      files: about.files,
      bytes: about.bytes,
      forecastSectors: volume?.sectors ?? null,
      actualSectors: built?.actualSectors ?? verified?.actualSectors ?? null,
      build: built,
      verify: verified,
    }
  })
}

/** Whether the last run did not do what it should: a volume could not be built, or did not read back as it was surveyed. */
export function isFailed({ build, verify }: BuildState): boolean {
  return (verify ?? build)?.outcome === 'failed'
}
