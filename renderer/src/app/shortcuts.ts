import { useEffect } from 'react'
import { STEPS } from '../state/frame'
import { useSession } from '../state/sessionContext'
import { SourceSession } from '../steps/source/sourceSession'

/**
 * Ctrl or Cmd with O opens folders, with 1 to 8 goes to a step, with a comma to the settings, with
 * F searches the catalog. Esc belongs to what floats.
 */
export function useShortcuts(): void {
  const session = useSession()
  const sources = useSession(SourceSession)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      const step = STEPS[Number(event.key) - 1]
      if (event.key === ',') session.goTo('settings')
      else if (event.key.toLowerCase() === 'o') void sources.choose('folders')
      else if (event.key.toLowerCase() === 'f') {
        session.goTo('catalog')
        requestAnimationFrame(() => document.querySelector<HTMLInputElement>('input[type="search"]')?.focus())
      } else if (step) session.goTo(step)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [session, sources])
}
