import type { Client } from '../../../../src/contract/defineSchema'
import type { RendererSchema } from '../../../../src/contract/rendererSchema'
import type { Result } from '../../../../src/primitives/result'
import type { Stores } from '../../state/windowStores'
import { patternsOf } from './restoreState'

/** Everything a person can do to get files back; none of it rejects. */
export class RestoreSession {
  readonly #call: Client<RendererSchema>
  readonly #stores: Stores
  readonly #ask: <T>(asked: Promise<Result<T>>) => Promise<T | null>

  constructor(
    call: Client<RendererSchema>,
    stores: Stores,
    ask: <T>(asked: Promise<Result<T>>) => Promise<T | null>,
  ) {
    this.#call = call
    this.#stores = stores
    this.#ask = ask
  }

  /** Shows the form, with the folder of a plan as its volumes where one is given. */
  open(directory?: string): void {
    this.#stores.restore.dispatch({ type: 'opened', volumes: directory === undefined ? [] : [directory] })
  }

  close(): void {
    this.#stores.restore.dispatch({ type: 'closed' })
  }

  async add(kind: 'images' | 'folders'): Promise<void> {
    const volumes = await this.#ask(this.#call.app.chooseVolumes({ kind }))
    if (volumes) this.#stores.restore.dispatch({ type: 'added', volumes })
  }

  async chooseTarget(): Promise<void> {
    const to = await this.#ask(this.#call.app.chooseDirectory({ purpose: 'restore' }))
    if (to) this.#stores.restore.dispatch({ type: 'to', to })
  }

  async start(): Promise<void> {
    const { volumes, to, files, force } = this.#stores.restore.get()
    if (volumes.length === 0 || to === null) return
    const request = { volumes: [...volumes], to, files: patternsOf(files), force }
    const started = await this.#ask(this.#call.restore.start(request))
    if (started) this.#stores.jobs.dispatch({ type: 'started', jobId: started.jobId, kind: 'restore' })
  }

  /** Takes over the document of a restore that has ended, however it ended. */
  async ended(restoreId: string): Promise<void> {
    const document = await this.#ask(this.#call.restore.get({ restoreId }))
    if (document) this.#stores.restore.dispatch({ type: 'restored', document })
  }
}
