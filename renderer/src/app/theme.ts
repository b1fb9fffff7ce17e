import { useEffect } from 'react'
import { useFrame } from '../state/sessionContext'

/**
 * Writes the theme to the page: the person's choice, else the system's, and again whenever either
 * changes.
 */
export function useTheme(): void {
  const { settings } = useFrame()
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const apply = () => {
      const shown = settings.theme === 'system' ? (dark.matches ? 'dark' : 'light') : settings.theme
      document.documentElement.dataset['theme'] = shown
    }
    apply()
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [settings.theme])
}
