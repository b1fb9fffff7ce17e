import type { DrillDocument } from '../../../../../src/contract/dto/drill'
import { SessionPart } from '../../../state/stepSession'
import { createStore } from '../../../state/store'
import type { RestoreSession } from '../restoreSession'
import { initialDrill, reduceDrill } from './drillState'

/** Everything a person can do to try a restore of the set that is open; none of it rejects. */
export class DrillSession extends SessionPart<{ readonly restore: RestoreSession }> {
  readonly store = createStore(reduceDrill, initialDrill)
  protected readonly step = 'restore'
  #drawing = 0

  /**
   * Leads to the restore drill of a set.
   * @param directories folders of its plans; without any, the person is asked for volumes
   */
  open(directories: readonly string[]): void {
    const { restore } = this.window
    if (directories.length === 0) restore.leave()
    restore.open(directories)
    this.openHere()
  }

  /** Tries a restore of the set that is open; of the next one where none is. */
  openHere(): void {
    this.window.clear('restore')
    this.store.dispatch({ type: 'opened' })
    if (this.window.restore.store.get().status === 'open') void this.draw()
  }

  close(): void {
    this.#drawing += 1
    this.store.dispatch({ type: 'closed' })
  }

  /** The volumes of a set are open: its sample is drawn, if that is what it was opened for. */
  setOpened(): void {
    if (this.store.get().isOpen) void this.draw()
  }

  isCopy(copy: number): void {
    this.store.dispatch({ type: 'copy', copy })
    void this.draw()
  }

  /** Draws a random sample, and asks what restoring it takes. */
  async draw(): Promise<void> {
    const { set, volumes } = this.window.restore.store.get()
    if (set === null) return
    this.#drawing += 1
    const request = this.#drawing
    this.window.clear('restore')
    this.store.dispatch({ type: 'drawing' })
    const { copy } = this.store.get()
    const drawn = await this.call.drill.preview({ volumes: [...volumes], opened: set.id, copy })
    if (request !== this.#drawing) return
    if (drawn.ok) this.store.dispatch({ type: 'drawn', preview: drawn.value })
    else if (!this.window.restore.locked(drawn.error))
      this.store.dispatch({ type: 'failed', error: drawn.error })
  }

  /** Restores the sample of a seed, compares it and removes it. */
  async start(seed: number): Promise<void> {
    const { set, volumes } = this.window.restore.store.get()
    const { copy } = this.store.get()
    if (set === null) return
    this.window.clear('restore')
    await this.window.startJob('drill', () =>
      this.ask(this.call.drill.start({ volumes: [...volumes], opened: set.id, seed, copy })),
    )
  }

  /** Takes over the document of a drill that has ended, whether or not every file came back. */
  async ended(drillId: string): Promise<void> {
    const document: DrillDocument | null = await this.ask(this.call.drill.get({ drillId }))
    if (document && this.store.get().isOpen) this.store.dispatch({ type: 'ended', document })
  }

  /** Loads the drills that the catalog keeps; the engine's own state reports its absence. */
  async refresh(): Promise<void> {
    const drills = await this.call.drill.list(undefined)
    if (drills.ok) this.store.dispatch({ type: 'drills', drills: drills.value })
  }
}
