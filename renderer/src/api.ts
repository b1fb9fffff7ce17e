import type { WindowApi } from '../../src/contract/rendererSchema'
import { remember, type Said } from '../../src/primitives/said'

declare global {
  interface Window {
    /** Put there by the preload page. */
    readonly stowage?: WindowApi
  }
}

/**
 * The way out of the window: the only place that touches `window.stowage`.
 * @throws Error when the page runs without its preload page, which only a broken package does.
 */
export function windowApi(): WindowApi {
  if (!window.stowage) throw new Error('window.stowage is missing: the preload page did not run')
  const { call, giveDropped } = window.stowage
  const learned = mapped(call, (members) => mapped(members as object, learning))
  return { call: learned as WindowApi['call'], giveDropped }
}

/** A call or a subscription that learns the sentences in what arrives by it. */
function learning(ask: unknown): unknown {
  const asked = ask as (given: unknown) => unknown
  return (given: unknown): unknown => {
    if (typeof given === 'function')
      return asked((payload: unknown) => {
        learn(payload)
        given(payload)
      })
    const answer = asked(given)
    if (answer instanceof Promise) return answer.then(learn)
    return answer
  }
}

interface Answer {
  readonly said?: Readonly<Record<string, Said>> | undefined
  readonly error?: { readonly message: string; readonly said?: Said | undefined } | null
}

/** Answers have the sentences of their value, and failures, also those of jobs, their own. */
function learn(answer: unknown): unknown {
  const { said, error } = (answer ?? {}) as Answer
  for (const [text, sentence] of Object.entries(said ?? {})) remember(text, sentence)
  if (error?.said) remember(error.message, error.said)
  return answer
}

function mapped(group: object, change: (member: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(group).map(([name, member]) => [name, change(member)]))
}
