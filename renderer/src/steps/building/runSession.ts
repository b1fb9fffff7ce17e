import { BUILT_COPY, type VolumeCopy } from '../../../../src/contract/dto/copies'
import type { JobEnd, WaitAnswer } from '../../../../src/contract/dto/job'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import type { Drive } from '../../../../src/contract/dto/run'
import { leftVolumes } from '../../../../src/contract/jobEnds'
import type { Result } from '../../../../src/primitives/result'
import { wipe } from '../../../../src/primitives/secretBytes'
import { t } from '../../copy'
import { copyTyped } from '../../format/typedCopy'
import { runningOf } from '../../state/jobs'
import { SessionPart } from '../../state/stepSession'
import { createStore, type Readable } from '../../state/store'
import { initialBuild, nextCopy, reduceBuild, stoppedRun, type WriteTo } from './buildState'

/** The plan in hand, and the folder that it was exported to. */
interface Planned {
  readonly document: PlanDocument | null
  readonly exportedTo: string | null
}

/** Everything a person can do with an exported plan; none of it rejects. */
export class RunSession extends SessionPart<{
  readonly plan: { readonly store: Readable<Planned> }
  readonly sets: { show(plan: PlanDocument, exportedTo: string): Promise<boolean> }
  readonly copies: {
    readonly store: { get(): { readonly copies: readonly VolumeCopy[] } }
    refresh(): Promise<void>
  }
}> {
  readonly store = createStore(reduceBuild, initialBuild)
  protected readonly step = 'build'
  /** Writing to each place of a set is asked for one after another. */
  #asksToWrite = false

  /** The plan in hand, which is offered while no set is open. */
  get planned(): Readable<Planned> {
    return this.window.plan.store
  }

  /** Opens an exported plan: the given folder, or one that the person chooses. */
  async open(directory?: string): Promise<void> {
    const { directory: shown } = this.store.get()
    if (shown !== null && runningOf(this.window.jobs.get(), 'build', 'verify', 'write')) {
      // What runs belongs to the set that is shown.
      if (directory !== shown) this.window.failed({ code: 'usage', message: t('build.busy') }, 'build')
      return this.window.goTo('build')
    }
    const chosen = directory ?? (await this.ask(this.call.app.chooseDirectory({ purpose: 'openPlan' })))
    if (!chosen) return
    this.window.clear('build')
    const plan = await this.ask(this.call.plan.open({ directory: chosen }))
    if (!plan) return
    if (!(await this.window.sets.show(plan, chosen))) return
    await this.show(plan, chosen)
    this.window.goTo('build')
  }

  /**
   * Shows what was done with a set, unless another one is in work.
   * @param directory of its plan; null where that is not at hand: nothing can be done then
   */
  async show(plan: PlanDocument, directory: string | null): Promise<void> {
    if (runningOf(this.window.jobs.get(), 'build', 'verify', 'write')) return
    const runs = await this.ask(
      directory === null ? this.call.plan.runsKnown({ planId: plan.id }) : this.call.plan.runs({ directory }),
    )
    this.store.dispatch({ type: 'opened', directory, plan })
    for (const run of runs ?? []) this.store.dispatch({ type: 'ran', run })
    if (runs) this.store.dispatch({ type: 'writing', open: false })
    this.window.jobs.dispatch({ type: 'replaced', kinds: ['build', 'verify', 'write'] })
  }

  /** Asks again what was done with the set that is shown: a run may have ended with the engine. */
  async again(): Promise<void> {
    const { plan, directory } = this.store.get()
    if (plan !== null) await this.show(plan, directory)
  }

  /** @param password of an encrypted plan; it is overwritten */
  async build(force: boolean, password: Uint8Array | null = null): Promise<void> {
    const { stream, plan, picked } = this.store.get()
    // What is packed anew has other archives: volumes of two packings would not go together.
    const volumes = plan?.packing && force ? [] : [...picked]
    const more = { ...(stream && { stream }), ...(password && { password }) }
    const options = { volumes, force, changed: 'ask' as const, ...more }
    await this.#start('build', (directory) => this.call.run.build({ directory, ...options }))
    wipe(password)
  }

  /**
   * Opens an exported plan, builds it and verifies what was built; the Build step asks for the
   * password of an encrypted one first.
   */
  async buildAndVerify(directory: string): Promise<void> {
    await this.open(directory)
    const { directory: opened, plan } = this.store.get()
    if (opened !== directory || runningOf(this.window.jobs.get(), 'build', 'verify', 'write')) return
    this.store.dispatch({ type: 'set', form: { andVerify: true } })
    if ((plan?.packing?.encryption ?? 'none') === 'none') await this.build(false)
  }

  /** The kind of the run that begins by itself after one that ended; null where none does. */
  following({ kind, outcome }: Pick<JobEnd, 'kind' | 'outcome'>): 'verify' | 'write' | null {
    const { andVerify, queued } = this.store.get()
    if (outcome !== 'done') return null
    if (kind === 'build') return andVerify ? 'verify' : null
    return kind === 'write' && queued !== null ? 'write' : null
  }

  /** A build ended: verifies it where that was asked for. */
  async buildEnded(isDone: boolean): Promise<void> {
    const { andVerify } = this.store.get()
    if (andVerify && isDone) await this.verify()
    this.store.dispatch({ type: 'set', form: { andVerify: false } })
  }

  /** Verifies the picked volumes, or all; one that was stopped goes on with what is left. */
  async verify(): Promise<void> {
    const build = this.store.get()
    const stopped = stoppedRun(build)
    const left = stopped?.kind === 'verify' ? leftVolumes(stopped.volumes).map(({ index }) => index) : []
    const volumes = build.picked.length > 0 ? [...build.picked] : left
    await this.#start('verify', (directory) => this.call.run.verify({ directory, volumes }))
  }

  /**
   * Asks which drives there are and what is in them, and shows where the set can be written: at
   * first the copy that comes next.
   */
  async openWriting(): Promise<void> {
    // A copy that was written a moment ago may not be among the known ones yet.
    await this.window.copies.refresh()
    const build = this.store.get()
    const copy = nextCopy(build, this.window.copies.store.get().copies)
    const second = nextCopy(build, this.window.copies.store.get().copies, copy + 1)
    const first = { copy, isSecondWanted: second <= (build.plan?.copies ?? 1) }
    this.store.dispatch({ type: 'writing', open: true, ...(!build.isWriting && first) })
    const drives = await this.ask(this.call.run.drives(undefined))
    if (drives) this.store.dispatch({ type: 'set', form: { drives } })
  }

  /**
   * Picks volumes whose copies were lost and shows where they are written again: at first where
   * they were, if that can be reached.
   */
  async beginAgain(volumes: readonly number[], copy: number, place: string | null): Promise<void> {
    this.store.dispatch({ type: 'again', volumes, copy, place: place ?? '' })
    const { plan } = this.store.get()
    if (copy === BUILT_COPY || plan === null) return
    const asked = { planId: plan.id, copy, volumes: [...volumes] }
    const [drives, before] = await Promise.all([
      this.ask(this.call.run.drives(undefined)),
      this.ask(this.call.copies.writtenTo(asked)),
    ])
    if (drives) this.store.dispatch({ type: 'set', form: { drives } })
    if (before === null || !this.store.get().areLost) return
    const isDrive = before.kind === 'drive'
    const isThere = before.problem === null && (!isDrive || drives?.some(isNamed(before.path)) === true)
    if (isThere) this.store.dispatch({ type: 'to', to: { kind: before.kind, path: before.path } })
    else this.store.dispatch({ type: 'set', form: { unreached: before } })
  }

  /** Asks for another file that stands in for the disc in a further drive. */
  async addFile(): Promise<void> {
    const path = await this.ask(this.call.app.chooseDiscFile(undefined))
    if (path) this.store.dispatch({ type: 'also', path, on: true })
  }

  /**
   * Asks for a folder or mounted disk to copy to, or for a file that stands in for the disc in a
   * drive.
   */
  async chooseTo(kind: 'folder' | 'file'): Promise<void> {
    if (kind === 'file') {
      const path = await this.ask(this.call.app.chooseDiscFile(undefined))
      if (path) this.store.dispatch({ type: 'to', to: { kind, path } })
      return
    }
    const { areLost, second } = this.store.get()
    const chosen = areLost
      ? [await this.ask(this.call.app.chooseDirectory({ purpose: 'write' }))]
      : await this.ask(this.call.app.chooseCopyFolders(undefined))
    const [path, further, ...more] = chosen ?? []
    if (more.length > 0)
      return this.window.failed({ code: 'usage', message: t('write.manyFolders') }, this.step)
    if (path == null) return
    this.window.clear(this.step)
    this.store.dispatch({ type: 'to', to: { kind, path } })
    if (further != null)
      this.store.dispatch({
        type: 'second',
        second: { to: { kind, path: further }, place: second?.place ?? '' },
      })
    await this.#lookApart()
  }

  /**
   * Chooses where the second copy goes, which is asked of the person for a folder; null where it is
   * not written.
   */
  async chooseSecond(to: { kind: 'drive'; path: string } | 'folder' | null): Promise<void> {
    const path = to === 'folder' ? await this.ask(this.call.app.chooseDirectory({ purpose: 'write' })) : ''
    if (path === null) return
    const { second } = this.store.get()
    this.store.dispatch({
      type: 'second',
      second: { place: second?.place ?? '', to: to === 'folder' ? { kind: 'folder', path } : to },
    })
    await this.#lookApart()
  }

  /** Two folders may be one, or on one disk. */
  async #lookApart(): Promise<void> {
    const { to, second } = this.store.get()
    if (to?.kind !== 'folder' || second?.to?.kind !== 'folder') return
    const folders = [to.path, second.to.path]
    const apart = await this.ask(this.call.copies.apart({ folders }))
    const now = this.store.get()
    if (apart !== null && now.to?.path === folders[0] && now.second?.to?.path === folders[1])
      this.store.dispatch({ type: 'set', form: { apart } })
  }

  /** The number of the second copy: the next one after the first that is not written. */
  secondCopy(): number {
    const build = this.store.get()
    return nextCopy(build, this.window.copies.store.get().copies, (copyTyped(build.copy) ?? 1) + 1)
  }

  /**
   * Writes the copy, and then the second one if there is one.
   * @param password of an encrypted plan that is not built yet; it is overwritten
   */
  async write(again: boolean, password: Uint8Array | null = null): Promise<void> {
    const { second, areLost } = this.store.get()
    const next = areLost ? null : (second?.to ?? null)
    const number = this.secondCopy()
    if (next !== null) this.store.dispatch({ type: 'set', form: { queued: number } })
    const nextFolder = next?.kind === 'folder' ? next.path : null
    const isBegun = await this.#write(again, password, { nextCopy: number, nextFolder })
    if (!isBegun) this.store.dispatch({ type: 'set', form: { queued: null } })
  }

  /** A run that writes ended: begins the second copy where all runs of the first one are done. */
  async writeEnded(isDone: boolean): Promise<void> {
    const { queued, second } = this.store.get()
    if (queued === null || second === null || second.to === null) return
    if (!isDone) return this.store.dispatch({ type: 'set', form: { queued: null } })
    if (runningOf(this.window.jobs.get(), 'write')) return
    this.store.dispatch({ type: 'goesOn', to: second.to, copy: queued })
    await this.#write(false, null, { nextFolder: null })
    this.store.dispatch({ type: 'set', form: { queued: null } })
  }

  /** @returns whether a run has begun */
  async #write(
    again: boolean,
    password: Uint8Array | null,
    following: { readonly nextFolder: string | null; readonly nextCopy?: number },
  ): Promise<boolean> {
    const { picked, to, also, onTheFly, readBack, copy, place: keptAt, areLost } = this.store.get()
    if (to === null || this.#asksToWrite) {
      wipe(password)
      return false
    }
    this.#asksToWrite = true
    let isBegun = false
    const further = also.map((path): WriteTo => ({ kind: to.kind, path }))
    const options = {
      volumes: [...picked],
      onTheFly: onTheFly && to.kind !== 'folder',
      verify: readBack,
      copy: copyTyped(copy) ?? 1,
      place: keptAt.trim() === '' ? null : keptAt.trim(),
      again: again || areLost,
      changed: 'ask' as const,
      ...following,
      ...(password && { password }),
    }
    for (const place of [to, ...further]) {
      const begins = await this.#start('write', (directory) =>
        this.call.run.write({ directory, ...options, ...target(place) }),
      )
      isBegun ||= begins
    }
    this.#asksToWrite = false
    wipe(password)
    return isBegun
  }

  /** The disc that the job asked for is in the drive, or its question is answered. */
  async proceed(jobId: string, answer?: WaitAnswer): Promise<void> {
    await this.ask(this.call.job.proceed({ jobId, ...(answer && { answer }) }))
  }

  /** Takes over the record of a run that has ended, however it ended. */
  async ended(runId: string): Promise<void> {
    const run = await this.ask(this.call.run.get({ runId }))
    if (run) this.store.dispatch({ type: 'ran', run })
  }

  async #start(
    kind: 'build' | 'verify' | 'write',
    asks: (directory: string) => Promise<Result<{ jobId: string }>>,
  ): Promise<boolean> {
    const { directory } = this.store.get()
    if (directory === null) return false
    this.window.clear('build')
    this.store.dispatch({ type: 'set', form: { isOneRun: this.store.get().andVerify } })
    return this.window.startJob(kind, () => this.ask(asks(directory)))
  }
}

function isNamed(path: string): (drive: Drive) => boolean {
  return ({ device }) => device === path
}

function target(to: WriteTo): { drive: string } | { file: string } | { folder: string } {
  if (to.kind === 'drive') return { drive: to.path }
  return to.kind === 'file' ? { file: to.path } : { folder: to.path }
}
