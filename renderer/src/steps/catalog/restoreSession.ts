import type { WireError } from '../../../../src/primitives/appError'
import { wipe } from '../../../../src/primitives/secretBytes'
import { SessionPart } from '../../state/stepSession'
import { createStore } from '../../state/store'
import { initialRestore, patternsOf, reduceRestore } from './restoreState'

/** Everything a person can do to get files back; none of it rejects. */
export class RestoreSession extends SessionPart {
  readonly store = createStore(reduceRestore, initialRestore)
  protected readonly step = 'catalog'
  #hadPassword = false

  /** Shows the form, with the folder of a plan as its volumes where one is given. */
  open(directory?: string): void {
    this.store.dispatch({ type: 'opened', volumes: directory === undefined ? [] : [directory] })
  }

  async add(kind: 'images' | 'folders'): Promise<void> {
    const volumes = await this.ask(this.call.app.chooseVolumes({ kind }))
    if (volumes) this.store.dispatch({ type: 'added', volumes })
  }

  async chooseTarget(): Promise<void> {
    const to = await this.ask(this.call.app.chooseDirectory({ purpose: 'restore' }))
    if (to) this.store.dispatch({ type: 'set', form: { to } })
  }

  /** @param password of an encrypted set; it is overwritten */
  async start(password: Uint8Array | null = null): Promise<void> {
    await this.#start(password)
    wipe(password)
  }

  /** Takes a failure that a password mends as a question. Answers whether it was one. */
  locked(error: WireError): boolean {
    if (error.code !== 'wrong-password') return false
    this.store.dispatch({ type: 'locked', password: this.#hadPassword ? 'wrong' : 'needed' })
    return true
  }

  /** Takes over the document of a restore that has ended, however it ended. */
  async ended(restoreId: string): Promise<void> {
    const document = await this.ask(this.call.restore.get({ restoreId }))
    if (document) this.store.dispatch({ type: 'restored', document })
  }

  async #start(password: Uint8Array | null): Promise<void> {
    const { volumes, to, files, force, trust } = this.store.get()
    if (volumes.length === 0 || to === null) return
    const request = {
      volumes: [...volumes],
      to,
      files: patternsOf(files),
      force,
      trust,
      ...(password && { password }),
    }
    this.window.clear('catalog')
    await this.window.startJob('restore', () => {
      this.#hadPassword = password !== null
      return this.ask(this.call.restore.start(request))
    })
  }
}
