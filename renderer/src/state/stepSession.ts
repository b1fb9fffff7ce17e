import type { Client } from '../../../src/contract/defineSchema'
import type { RendererSchema } from '../../../src/contract/rendererSchema'
import type { Result } from '../../../src/primitives/result'
import type { Page } from './frame'
import type { WindowSession } from './windowSession'

/**
 * Actions of one step, or of a part of it; none of them rejects.
 * @typeParam Others the sessions of other steps that it uses
 */
export abstract class SessionPart<Others = unknown> {
  protected abstract readonly step: Page
  protected readonly window: WindowSession & Others
  protected readonly call: Client<RendererSchema>

  constructor(window: WindowSession & Others) {
    this.window = window
    this.call = window.call
  }

  /** Answers what was asked, or shows the failure in the step and answers null. */
  protected ask<T>(asked: Promise<Result<T>>): Promise<T | null> {
    return this.window.ask(this.step, asked)
  }
}

/** Actions of a step whose form is evaluated while it changes. */
export abstract class StepSession<Others = unknown> extends SessionPart<Others> {
  /** Milliseconds without a change after which what is typed is looked at. */
  protected readonly typingMs: number = 300
  #request = 0
  #typing: ReturnType<typeof setTimeout> | undefined

  /** Asks what the form would do as it is. */
  abstract look(): Promise<void>

  /**
   * The form has changed: looks at it at once, or when typing rests. Answers to earlier forms are
   * dropped from now on.
   */
  protected lookAgain(typed: boolean): void {
    clearTimeout(this.#typing)
    this.#request += 1
    if (typed) this.#typing = setTimeout(() => void this.look(), this.typingMs)
    else void this.look()
  }

  /**
   * The answer, or null where a later change has overtaken it; `asks` is null where nothing can be
   * asked.
   */
  protected async latest<T>(asks: (() => Promise<T>) | null): Promise<T | null> {
    this.#request += 1
    const request = this.#request
    if (asks === null) return null
    const answer = await asks()
    return request === this.#request ? answer : null
  }
}
