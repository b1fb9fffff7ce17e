import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { ElectronApplication } from 'playwright-core'

/** A message with its channel, and the time in milliseconds at which it reached the page. */
type Message = readonly [ms: number, channel: string, content: unknown]

/** What the other side of the window sent it, in order. */
export interface WindowMessages {
  readonly events: readonly Message[]
  /** The values of the answers to calls that did not fail. */
  readonly answers: readonly Message[]
}

/** Records all that main sends to the page of the window until the returned function is called. */
export async function recordMessages(app: ElectronApplication): Promise<() => Promise<WindowMessages>> {
  const recorded = await app.evaluateHandle(({ BrowserWindow, ipcMain }) => {
    // Electron's own, by which a handler's answer goes to the page.
    const REPLY = '_reply'
    const HANDLERS = '_invokeHandlers'
    interface Replying {
      [REPLY](answer: { readonly ok: boolean; readonly value?: unknown } | undefined): void
    }
    type Handler = (event: Replying, ...args: readonly unknown[]) => unknown
    const messages = {
      events: [] as [number, string, unknown][],
      answers: [] as [number, string, unknown][],
    }
    const begun = performance.now()
    const now = () => Math.round(performance.now() - begun)
    const [window] = BrowserWindow.getAllWindows()
    if (!window) throw new Error('no window')
    const send = window.webContents.send.bind(window.webContents)
    window.webContents.send = (channel, ...args) => {
      messages.events.push([now(), channel, args[0]])
      send(channel, ...args)
    }
    const handlers = (ipcMain as unknown as Record<typeof HANDLERS, Map<string, Handler>>)[HANDLERS]
    for (const [channel, handler] of handlers)
      handlers.set(channel, (event, ...args) => {
        const reply = event[REPLY].bind(event)
        event[REPLY] = (answer) => {
          if (answer?.ok) messages.answers.push([now(), channel, answer.value])
          reply(answer)
        }
        return handler(event, ...args)
      })
    return messages
  })
  return () => recorded.jsonValue()
}

/** Keeps a recording in a file; the folder `source` becomes `as` in it. */
export function keepMessages(file: string, messages: WindowMessages, source: string, as: string): void {
  writeFileSync(file, gzipSync(JSON.stringify(messages).replaceAll(source, as), { level: 9 }))
}

export function keptMessages(file: string): WindowMessages {
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as WindowMessages
}
