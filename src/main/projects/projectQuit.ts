import { AppError } from '../../primitives/appError'
import type { ProjectDesk } from './projectDesk'

/** Holds up the closing of the window until the person has said what becomes of unsaved changes. */
export class ProjectQuit {
  readonly #desk: Pick<ProjectDesk, 'state' | 'leave'>
  readonly #close: () => void
  readonly #onFailure: (failure: AppError) => void
  #isAsking = false
  #isDecided = false

  constructor(
    desk: Pick<ProjectDesk, 'state' | 'leave'>,
    close: () => void,
    onFailure: (failure: AppError) => void,
  ) {
    this.#desk = desk
    this.#close = close
    this.#onFailure = onFailure
  }

  /** Takes an attempt to close the window. @returns whether it may be closed at once */
  mayClose(): boolean {
    if (this.#isDecided || !this.#desk.state?.isUnsaved) return true
    if (!this.#isAsking) void this.#decide()
    return false
  }

  async #decide(): Promise<void> {
    this.#isAsking = true
    try {
      this.#isDecided = await this.#desk.leave()
    } catch (error) {
      this.#onFailure(AppError.from(error))
    }
    this.#isAsking = false
    if (this.#isDecided) this.#close()
  }
}
