import type { PlanListItem } from '../../../../src/contract/dto/plan'
import type { CatalogSession } from '../../state/catalog/catalogSession'
import type { CheckSession } from '../../state/catalog/checkSession'
import { runningOf } from '../../state/jobs'
import { SessionPart } from '../../state/stepSession'
import { createStore } from '../../state/store'
import type { RunSession } from '../building/runSession'
import type { RestoreSession } from '../restore/restoreSession'
import type { ProjectSession } from '../source/project/projectSession'
import type { HomeArchive } from './homeArchives'
import type { HomeSet } from './homeSets'
import type { SetSession } from './setSession'

/** How the list of archives is shown, also when a person comes back to it. */
interface HomeState {
  /** All archives are listed, not only the first ones. */
  readonly isAll: boolean
  /** The row that is unfolded. */
  readonly unfolded: string | null
}

function reduceHome(state: HomeState, change: Partial<HomeState>): HomeState {
  return { ...state, ...change }
}

/** Everything a person can do with their sets; none of it rejects. */
export class HomeSession extends SessionPart<{
  readonly sets: SetSession
  readonly project: ProjectSession
  readonly runs: RunSession
  readonly catalog: CatalogSession
  readonly check: CheckSession
  readonly restore: RestoreSession
}> {
  readonly store = createStore(reduceHome, { isAll: false, unfolded: null })
  protected readonly step = 'home'

  /** Loads the sets again: folders may have been moved, and discs checked by other programs. */
  refresh(): void {
    if (this.window.catalog.store.get().isLoaded) void this.window.catalog.refresh()
  }

  /**
   * Opens an archive in every step, with its sources and answers, where work on it goes on; also
   * a set of none, and one without its plan in the catalog's lists.
   */
  async open({ archive, chain: [newest] }: Pick<HomeArchive, 'archive' | 'chain'>): Promise<void> {
    this.window.clear('home')
    if (archive !== null && archive.sources.length > 0) {
      if (!(await this.window.project.openArchive(archive.id))) return
      if (newest.plan?.directoryExists) {
        this.window.goTo('build')
        return
      }
    }
    await this.openSet(newest)
  }

  /** Opens one set of an archive where work on it goes on. */
  async openSet({ plan }: HomeSet): Promise<void> {
    this.window.clear('home')
    if (plan === null) this.window.goTo('catalog')
    else await this.window.sets.open(plan.id, 'build')
  }

  /** Shows the form that gets files back, with the folders of plans as far as they are there. */
  restore(chain: readonly HomeSet[]): void {
    this.window.goTo('catalog')
    this.window.restore.open(
      chain.flatMap(({ plan }) => (plan?.directoryExists && plan.directory !== null ? [plan.directory] : [])),
    )
  }

  /**
   * Verifies what was built in the folders of plans: of one in the Build step, of several by their
   * volumes; asks for discs where there are none.
   */
  async verify(chain: readonly HomeSet[]): Promise<void> {
    const built = chain.filter(isInFolder)
    const folders = built.flatMap(({ plan }) => plan?.directory ?? [])
    const [only] = built
    if (folders.length === 0) this.checkDiscs()
    else if (folders.length === 1 && only?.plan) await this.#verifyBuilt(only.plan)
    else {
      this.checkDiscs()
      await this.window.check.verify(folders)
    }
  }

  async #verifyBuilt({ id, directory: built }: PlanListItem): Promise<void> {
    await this.window.sets.open(id, 'build')
    const { directory } = this.window.runs.store.get()
    const isBusy = runningOf(this.window.jobs.get(), 'build', 'verify', 'write') !== null
    if (directory === built && !isBusy) await this.window.runs.verify()
  }

  /** Chooses after how many months the volumes of a set are checked again. */
  async checkEvery({ key }: HomeSet, everyMonths: number): Promise<void> {
    this.window.clear('home')
    await this.ask(this.call.check.every({ ofSet: key, everyMonths }))
    await this.window.catalog.refresh()
  }

  /** Shows which discs are due, and asks for one. */
  checkDiscs(): void {
    this.window.check.store.dispatch({ type: 'opened' })
    this.window.goTo('catalog')
  }

  /** Shows which copies are lost, and where all others are. */
  showCopies(): void {
    this.window.goTo('catalog')
  }

  /** Asks where the folder of a set is now. */
  async findFolder(): Promise<void> {
    await this.window.runs.open()
    await this.window.catalog.refresh()
  }
}

/** True when the volumes of a set are in the folder of its plan, not on discs alone. */
function isInFolder({ plan, volumes }: HomeSet): boolean {
  return plan !== null && plan.directoryExists && plan.onMedia < volumes
}
