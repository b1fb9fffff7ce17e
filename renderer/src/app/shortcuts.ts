import { useEffect } from 'react'
import type { ProjectAction } from '../../../src/contract/dto/project'
import { STEPS } from '../state/frame'
import { useSession } from '../state/sessionContext'
import { ProjectSession } from '../steps/source/project/projectSession'
import { SourceSession } from '../steps/source/sourceSession'

const PROJECT_KEYS: Readonly<Record<string, ProjectAction>> = {
  n: 'new',
  'shift p': 'open',
  s: 'save',
  'shift s': 'saveAs',
}

/**
 * Ctrl or Cmd with N makes a project, with Shift+P opens one, with S and Shift+S saves it, with O
 * opens folders, with 1 to 9 goes to a step, with a comma to the settings, with F searches the
 * catalog. Alt with Home goes to Home. Esc belongs to what floats.
 */
export function useShortcuts(): void {
  const session = useSession()
  const sources = useSession(SourceSession)
  const project = useSession(ProjectSession)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isControl = event.ctrlKey || event.metaKey
      if (event.altKey && !isControl && !event.shiftKey && event.key === 'Home') {
        session.goTo('home')
        event.preventDefault()
        return
      }
      if (!isControl || event.altKey) return
      const action = PROJECT_KEYS[`${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`]
      const step = STEPS[Number(event.key) - 1]
      if (action !== undefined) void project.do(action)
      else if (event.shiftKey) return
      else if (event.key === ',') session.goTo('settings')
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
  }, [session, sources, project])
}
