import type { PlanVolume } from '../../../../src/contract/dto/plan'
import type { CheckSession } from '../../state/catalog/checkSession'
import { SessionPart } from '../../state/stepSession'
import { createStore } from '../../state/store'

/** The archive whose copies are shown. */
interface ArchiveState {
  /** The ID of an archive, or of a set of none; null before one was opened. */
  readonly key: string | null
  /** The volumes of its plans, by the ID of the plan, as far as they could be read. */
  readonly volumes: ReadonlyMap<string, readonly PlanVolume[]>
}

type ArchiveAction = { type: 'opened'; key: string } | { type: 'volumes'; volumes: ArchiveState['volumes'] }

function reduceArchive(state: ArchiveState, action: ArchiveAction): ArchiveState {
  if (action.type === 'volumes') return { ...state, volumes: action.volumes }
  return state.key === action.key ? state : { key: action.key, volumes: new Map() }
}

/** The sessions that carry out what is to be done next. */
interface Others {
  readonly check: CheckSession
  readonly sets: { open(planId: string, page: 'build'): Promise<void> }
  readonly runs: {
    readonly store: { get(): { readonly plan: { readonly id: string } | null } }
    openWriting(): Promise<void>
  }
}

/** Everything a person can ask about the copies of one archive; none of it rejects. */
export class ArchiveSession extends SessionPart<Others> {
  readonly store = createStore(reduceArchive, { key: null, volumes: new Map() })
  protected readonly step = 'archive'

  /** Shows the copies of an archive, or of a set of none. */
  open(key: string): void {
    this.window.clear('archive', 'catalog')
    this.store.dispatch({ type: 'opened', key })
    this.window.goTo('archive')
  }

  /** Loads the files and bytes on the volumes of plans; those of a removed plan stay unknown. */
  async load(planIds: readonly string[]): Promise<void> {
    const { key } = this.store.get()
    const plans = await Promise.all(planIds.map((planId) => this.call.plan.get({ planId })))
    if (this.store.get().key !== key) return
    const known = plans.flatMap((plan): [string, readonly PlanVolume[]][] =>
      plan.ok ? [[plan.value.id, plan.value.volumes]] : [],
    )
    this.store.dispatch({ type: 'volumes', volumes: new Map(known) })
  }

  /** Verifies what is in these folders of plans; asks for discs where there are none. */
  async check(folders: readonly string[]): Promise<void> {
    this.window.check.store.dispatch({ type: 'opened' })
    this.window.goTo('catalog')
    if (folders.length > 0) await this.window.check.verify(folders)
  }

  /** Opens a plan where its volumes are built. */
  async build(planId: string): Promise<void> {
    await this.window.sets.open(planId, 'build')
  }

  /** Opens a plan where the next copy of its volumes is written. */
  async writeCopy(planId: string): Promise<void> {
    const { sets, runs } = this.window
    await sets.open(planId, 'build')
    if (runs.store.get().plan?.id === planId) await runs.openWriting()
  }
}
