import type { Page } from 'playwright-core'

declare global {
  interface Window {
    /** The languages of the system, once a test has changed them. */
    systemLanguages?: readonly string[]
  }
}

/**
 * Changes the language of the system, or asks for the pseudo-language, and waits until the window
 * speaks it. What parts of a step keep for themselves (an opened fold) is drawn anew.
 */
export async function speakIn(page: Page, language: 'en' | 'de' | 'pseudo'): Promise<void> {
  const rail = { en: 'Steps', de: 'Schritte', pseudo: /^Š/ }[language]
  await page.evaluate((asked) => {
    if (window.systemLanguages === undefined)
      Object.defineProperty(navigator, 'languages', { get: () => window.systemLanguages })
    window.systemLanguages = [asked === 'de' ? 'de' : 'en']
    history.replaceState(null, '', asked === 'pseudo' ? '?language=pseudo' : location.pathname)
    dispatchEvent(new Event('languagechange'))
  }, language)
  await page.getByRole('navigation', { name: rail }).waitFor()
}
