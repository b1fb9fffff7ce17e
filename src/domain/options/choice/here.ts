import type { Option, OptionHere } from '../optionsDocument'

/** The abilities of Stowage's builders and plans for an option, which the engine knows. */
export interface Ability {
  readonly build: Option['build']
  readonly plan: Option['plan']
  /** True when it could be planned if neither encryption nor recovery data were requested. */
  readonly withoutDemands: boolean
}

/** The actions that Stowage has for an option here, from most to least. */
export function hereOf({ build, plan }: Ability): OptionHere {
  if (plan.form !== null)
    return build.possible ? { can: 'restore', because: null } : { can: 'plan', because: build.because }
  return build.possible
    ? { can: 'build', because: plan.because }
    : { can: 'forecast', because: build.because ?? plan.because }
}

/** True when the whole chain from plan to restore exists: only such options are recommended. */
export function isCarriedOut({ can }: OptionHere): boolean {
  return can === 'restore' || can === 'plan'
}
