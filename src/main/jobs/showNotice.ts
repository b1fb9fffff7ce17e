import { type BrowserWindow, Notification } from 'electron'

/** Without a reference a notice is collected, and a click on it is lost. */
const SHOWN = new Set<Notification>()

/**
 * Shows a desktop notification, where the system supports them; a click on it brings the window to
 * the front.
 */
export function showNotice(
  notice: { readonly title: string; readonly body: string },
  window: () => BrowserWindow | null,
): void {
  if (!Notification.isSupported()) return
  const shown = new Notification(notice)
  SHOWN.add(shown)
  shown.on('close', () => SHOWN.delete(shown))
  shown.on('click', () => {
    SHOWN.delete(shown)
    const front = window()
    if (front?.isMinimized()) front.restore()
    front?.show()
    front?.focus()
  })
  shown.show()
}
