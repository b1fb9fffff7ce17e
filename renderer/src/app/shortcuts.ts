import { useEffect } from 'react'
import { STEPS } from '../state/frame'
import { useSession } from '../state/sessionContext'
import { SourceSession } from '../state/source/sourceSession'
import { ProjectSession } from '../steps/source/project/projectSession'
import { type KeyId, keyOf } from './keys'

/** Carries out the keys of the window. Esc belongs to what floats. */
export function useShortcuts(): void {
  const session = useSession()
  const sources = useSession(SourceSession)
  const project = useSession(ProjectSession)
  useEffect(() => {
    /** Each answers false where it does nothing: the key then keeps its own meaning. */
    const actions: Readonly<Record<KeyId, (key: string, target: EventTarget | null) => unknown>> = {
      new: () => project.do('new'),
      open: () => project.do('open'),
      save: () => project.do('save'),
      saveAs: () => project.do('saveAs'),
      folders: () => sources.choose('folders'),
      files: () => sources.choose('files'),
      home: () => session.goTo('home'),
      step(key) {
        const step = STEPS[Number(key) - 1]
        return step === undefined ? false : session.goTo(step)
      },
      find: () => document.querySelector<HTMLInputElement>('.top input[type="search"]')?.focus(),
      settings: () => session.goTo('settings'),
      help: (_key, target) => !isTyping(target) && session.showHelp('keys'),
      main: () => pressMain(),
      undo: (_key, target) => !isTyping(target) && session.undo(),
    }
    const press = (event: KeyboardEvent) => {
      const id = keyOf(event)
      if (id === null || isFloating()) return
      if (actions[id](event.key, event.target) !== false) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [session, sources, project])
}

/** Presses the button of the step that leads on; false where there is none, or it is off. */
function pressMain(): boolean {
  const main = [...document.querySelectorAll<HTMLButtonElement>('main button.primary')].find(
    (button) => !button.disabled,
  )
  main?.click()
  return main !== undefined
}

/** A dialog above the window has the keys. */
function isFloating(): boolean {
  return document.querySelector('[role="dialog"]') !== null
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"], [type="radio"]), textarea') !== null
  )
}
