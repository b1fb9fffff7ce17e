import type { WindowApi } from '../../src/contract/rendererSchema'

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
  return window.stowage
}
