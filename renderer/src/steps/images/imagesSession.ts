import type { ImageDocument } from '../../../../src/contract/dto/image'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import type { Result } from '../../../../src/primitives/result'
import { wipe } from '../../../../src/primitives/secretBytes'
import { typedSize } from '../../components/typedSize'
import { t } from '../../copy'
import { runningOf } from '../../state/jobs'
import { StepSession } from '../../state/stepSession'
import { createStore } from '../../state/store'
import {
  droppedImage,
  type ImagesState,
  imageSettings,
  initialImages,
  type NewImageForm,
  reduceImages,
  stemOf,
  suggestedName,
} from './imagesState'

/**
 * Everything a person can do in the Images step; none of it rejects. Passwords come in as bytes,
 * are handed on at once and overwritten; the password fields keep their text until they are
 * removed.
 */
export class ImagesSession extends StepSession {
  readonly store = createStore(reduceImages, initialImages)
  protected readonly step = 'images'

  /** The engine's own state reports its absence. */
  async loadCatalogue(): Promise<void> {
    const catalogue = await this.call.image.catalogue(undefined)
    if (!catalogue.ok) return
    this.store.dispatch({ type: 'catalogue', catalogue: catalogue.value })
    await this.look()
  }

  /** Changes the form and asks for its preview: at once, or when typing rests. */
  set(form: Partial<NewImageForm>, typed = false): void {
    this.store.dispatch({ type: 'set', form })
    this.lookAgain(typed)
  }

  choosePreset(id: string): void {
    const preset = this.#state().catalogue?.presets.find((each) => each.id === id)
    if (!preset) return
    const { kind, band, keyBits } = preset
    this.set({ kind, keyBits, band: '', bandDefault: band === 'fitted' ? 'fitted' : 'usual' })
  }

  override async look(): Promise<void> {
    const settings = imageSettings(this.#state().form)
    const plan = await this.latest(settings && (() => this.call.image.preview(settings)))
    if (plan?.ok) this.store.dispatch({ type: 'planned', plan: plan.value })
  }

  /** Asks where the new image goes and makes it. */
  async create(password: Uint8Array | null): Promise<void> {
    const { form, catalogue } = this.#state()
    const settings = imageSettings(form)
    // Never plain because a password is missing.
    if (form.keyBits !== null && password === null) return
    const place = settings && (await this.#place(suggestedName('Untitled', form.kind, catalogue)))
    if (!settings || !place) return wipe(password)
    const { kind, bytes, band, keyBits } = settings
    const encryption = keyBits && password ? { keyBits, password } : null
    await this.#start('create', password, () =>
      this.call.image.create({
        path: place.path,
        kind,
        bytes,
        band: band ?? 'usual',
        encryption,
        force: place.replaces,
      }),
    )
  }

  /** Opens an image that the person chooses. */
  async choose(kind: 'file' | 'bundle'): Promise<void> {
    const path = await this.ask(this.call.app.chooseImage({ kind }))
    if (path !== null) await this.#open(path, true)
  }

  /**
   * Takes an image that is dropped while this step is in hand: it may be read. False for what is
   * for the sources.
   */
  takesDropped(sources: readonly { readonly path: string }[]): boolean {
    if (this.window.frame.get().step !== 'images') return false
    const path = droppedImage(sources.map((source) => source.path))
    if (path === null || runningOf(this.window.jobs.get(), 'image')) return false
    void this.#open(path, false)
    return true
  }

  /** Shows the image that the application was started to open. */
  async openGiven(path: string): Promise<void> {
    this.window.goTo('images')
    if (runningOf(this.window.jobs.get(), 'image'))
      this.window.failed(
        { code: 'refused', message: t('images.otherRuns', { image: pathForDisplay(path) }) },
        null,
      )
    else await this.#open(path, true)
  }

  /** Shows what a locked image is. */
  async unlock(password: Uint8Array): Promise<void> {
    const image = this.#state().image
    if (image) {
      this.#clear()
      const found = await this.ask(this.call.image.info({ path: image.path, password }))
      if (found && this.#state().image === image) this.store.dispatch({ type: 'unlocked', image: found })
    }
    wipe(password)
  }

  async verify(password: Uint8Array | null): Promise<void> {
    await this.#change('verify', password, ({ path }) =>
      this.call.image.verify({ path, password, sha256: this.#state().change.sha256 }),
    )
  }

  async compact(password: Uint8Array | null): Promise<void> {
    await this.#change('compact', password, ({ path }) => this.call.image.compact({ path, password }))
  }

  async resize(password: Uint8Array | null): Promise<void> {
    const bytes = typedSize(this.#state().change.size)
    if (!bytes) return wipe(password)
    await this.#change('resize', password, ({ path }) => this.call.image.resize({ path, password, bytes }))
  }

  async reband(password: Uint8Array | null): Promise<void> {
    const band = typedSize(this.#state().change.band)
    if (band === undefined) return wipe(password)
    await this.#change('reband', password, ({ path }) =>
      this.call.image.reband({ path, password, band: band ?? 'fitted' }),
    )
  }

  async changePassword(password: Uint8Array, newPassword: Uint8Array): Promise<void> {
    await this.#change('changePassword', [password, newPassword], ({ path }) =>
      this.call.image.changePassword({ path, password, newPassword }),
    )
  }

  /**
   * Asks where the converted image goes and converts; `fresh` is the password of a newly encrypted
   * one.
   */
  async convert(password: Uint8Array | null, fresh: Uint8Array | null): Promise<void> {
    const { image, change, catalogue } = this.#state()
    const isNew = change.encryption === '128' || change.encryption === '256'
    // Never plain because a password is missing.
    if (isNew && fresh === null) return wipe(password)
    const place = image && (await this.#place(suggestedName(stemOf(image.path), change.kind, catalogue)))
    if (!place) return wipe([password, fresh])
    const { kind, level, encryption: requested } = change
    const keyBits = requested === '128' ? 128 : 256
    const encryption =
      requested === 'same'
        ? ('same' as const)
        : requested === 'none' || fresh === null
          ? null
          : ({ keyBits, password: fresh } as const)
    await this.#change('convert', [password, fresh], ({ path }) =>
      this.call.image.convert({
        path,
        password,
        target: place.path,
        kind,
        band: kind === 'UDSB' ? (typedSize(change.band) ?? 'fitted') : 'usual',
        level: level === 'small' ? 9 : 1,
        encryption,
        force: place.replaces,
      }),
    )
  }

  /** A job on an image ended well and left this. */
  async ended(resultId: string): Promise<void> {
    const result = await this.ask(this.call.image.result({ resultId }))
    if (result) this.store.dispatch({ type: 'result', result })
    else this.store.dispatch({ type: 'ended' })
  }

  #state(): ImagesState {
    return this.store.get()
  }

  #clear(): void {
    this.window.clear('images')
  }

  #place(name: string): Promise<{ path: string; replaces: boolean } | null> {
    return this.ask(this.call.app.chooseImagePlace({ suggestedName: name }))
  }

  async #open(path: string, mayChange: boolean): Promise<void> {
    this.#clear()
    const image = await this.ask(this.call.image.info({ path, password: null }))
    if (image) this.store.dispatch({ type: 'opened', image, mayChange })
  }

  async #change(
    doing: NonNullable<ImagesState['doing']>,
    secrets: unknown,
    start: (image: ImageDocument) => Promise<Result<{ jobId: string }>>,
  ): Promise<void> {
    const { image } = this.#state()
    if (image) await this.#start(doing, secrets, () => start(image))
    else wipe(secrets)
  }

  async #start(
    doing: NonNullable<ImagesState['doing']>,
    secrets: unknown,
    start: () => Promise<Result<{ jobId: string }>>,
  ): Promise<void> {
    if (this.#state().doing === null && !runningOf(this.window.jobs.get(), 'image')) {
      this.#clear()
      this.store.dispatch({ type: 'doing', doing })
      if (!(await this.window.startJob('image', () => this.ask(start()))))
        this.store.dispatch({ type: 'ended' })
    }
    wipe(secrets)
  }
}
