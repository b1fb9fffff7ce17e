import { systemClock } from '../../../../src/primitives/clock'
import { copyTyped } from '../../format/typedCopy'
import { SessionPart } from '../stepSession'
import { createStore } from '../store'
import { initialCheck, reduceCheck } from './checkState'

/** Everything a person can do to verify discs and images; none of it rejects. */
export class CheckSession extends SessionPart {
  readonly store = createStore(reduceCheck, initialCheck)
  protected readonly step = 'catalog'

  /** Asks for volumes and verifies them. */
  async choose(kind: 'images' | 'folders'): Promise<void> {
    this.window.clear('catalog')
    await this.window.startJob('check', async () => {
      const volumes = await this.ask(this.call.app.chooseVolumes({ kind }))
      return volumes && volumes.length > 0
        ? this.ask(this.call.check.start({ volumes, copy: copyTyped(this.store.get().copy) }))
        : null
    })
  }

  /** Verifies volumes that are known: those in folders of plans. */
  async verify(volumes: readonly string[]): Promise<void> {
    this.window.clear('catalog')
    await this.window.startJob('check', () => this.ask(this.call.check.start({ volumes: [...volumes] })))
  }

  /** Asks for a place, and makes a whole image from a damaged one there. */
  async repair({ path, label }: { readonly path: string; readonly label: string }): Promise<void> {
    this.window.clear('catalog')
    await this.window.startJob('repair', async () => {
      const place = await this.ask(this.call.app.chooseImagePlace({ suggestedName: `${label}.iso` }))
      return (
        place && this.ask(this.call.repair.start({ volume: path, image: place.path, force: place.replaces }))
      )
    })
  }

  /** Takes over the document of a repair that has made its image. */
  async repaired(repairId: string): Promise<void> {
    const repair = await this.ask(this.call.repair.get({ repairId }))
    if (repair) this.store.dispatch({ type: 'repaired', repair })
  }

  /** Takes over the document of a check that has ended, however it ended. */
  async ended(checkId: string): Promise<void> {
    const document = await this.ask(this.call.check.get({ checkId }))
    if (document) this.store.dispatch({ type: 'checked', document })
  }

  /** Loads what the catalog knows of volumes; the engine's own state reports its absence. */
  async refresh(): Promise<void> {
    const volumes = await this.call.check.due({})
    if (!volumes.ok) return
    const askedWallMs = systemClock.wallMs()
    this.store.dispatch({ type: 'volumes', volumes: volumes.value, askedWallMs })
  }
}
