import type { ElectronApplication } from 'playwright-core'

interface SystemCalls {
  /** Blockers of sleep that are held now, by their ids. */
  readonly held: number[]
  /** How many were ever started. */
  readonly started: number
  /** The words of the notices that were shown. */
  readonly notices: string[]
  /** The questions that were asked. */
  readonly questions: { message: string; detail?: string; buttons?: string[] }[]
}

interface Followed {
  seen(): Promise<SystemCalls>
  /** Questions are answered with this button from now on, counted from 0. */
  answer(button: number): Promise<void>
  /** Clicks the last notice. @returns whether the window was brought to the front */
  clickNotice(): Promise<boolean>
}

/**
 * Follows what main asks of the system: blockers of sleep are started for real, notices and questions are only noted. The window
 * counts as one that the person does not look at.
 */
export async function followSystem(app: ElectronApplication): Promise<Followed> {
  await app.evaluate(({ BrowserWindow, Notification, dialog, powerSaveBlocker }) => {
    const seen: SystemCalls & { button: number } = {
      held: [],
      started: 0,
      notices: [],
      questions: [],
      button: 0,
    }
    Object.assign(globalThis, { seen })
    BrowserWindow.prototype.isFocused = () => false
    const { start, stop } = powerSaveBlocker
    powerSaveBlocker.start = (type) => {
      const id = start.call(powerSaveBlocker, type)
      Object.assign(seen, { held: [...seen.held, id], started: seen.started + 1 })
      return id
    }
    powerSaveBlocker.stop = (id) => {
      Object.assign(seen, { held: seen.held.filter((each) => each !== id) })
      return stop.call(powerSaveBlocker, id)
    }
    // A test machine may have nothing that shows notices; their own methods cannot be replaced, those they inherit can.
    Notification.isSupported = () => true
    Object.defineProperty(Notification.prototype, 'on', {
      value(this: { body: string }, event: string, listener: () => void) {
        if (event === 'click') Object.assign(seen, { notices: [...seen.notices, this.body], click: listener })
        return this
      },
    })
    dialog.showMessageBox = (async (_window: unknown, question: SystemCalls['questions'][number]) => {
      seen.questions.push(question)
      return { response: seen.button, checkboxChecked: false }
    }) as typeof dialog.showMessageBox
  })
  return {
    seen: () => app.evaluate(() => (globalThis as unknown as { seen: SystemCalls }).seen),
    answer: (button) =>
      app.evaluate((_electron, chosen) => {
        ;(globalThis as unknown as { seen: { button: number } }).seen.button = chosen
      }, button),
    clickNotice: () =>
      app.evaluate(({ BrowserWindow }) => {
        let isInFront = false
        BrowserWindow.prototype.focus = () => {
          isInFront = true
        }
        ;(globalThis as unknown as { seen: { click: () => void } }).seen.click()
        return isInFront
      }),
  }
}
