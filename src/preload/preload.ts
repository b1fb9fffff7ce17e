import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { type ChannelNames, createClient } from '../contract/defineSchema'
import { CHANNELS_ARGUMENT, DROP_CHANNEL } from '../contract/preloadPage'
import type { RendererSchema, WindowApi } from '../contract/rendererSchema'
import type { Result } from '../primitives/result'
import { wipe } from '../primitives/secretBytes'

const names = process.argv.find((argument) => argument.startsWith(CHANNELS_ARGUMENT))

const api: WindowApi = {
  call: createClient<RendererSchema>(
    JSON.parse(names?.slice(CHANNELS_ARGUMENT.length) ?? '{}') as ChannelNames,
    {
      request(channel, params) {
        // The message is a copy made by now; the page overwrites its own bytes.
        const answer = ipcRenderer.invoke(channel, params) as Promise<Result<unknown>>
        wipe(params)
        return answer
      },
      subscribe(channel, listener) {
        const receive = (_event: unknown, payload: unknown): void => listener(payload)
        ipcRenderer.on(channel, receive)
        return () => void ipcRenderer.off(channel, receive)
      },
    },
  ),
  async giveDropped(files) {
    const paths = files.map(pathOf).filter((path) => path !== '')
    const answer = (await ipcRenderer.invoke(DROP_CHANNEL, paths)) as Result<unknown>
    if (!answer.ok) throw new Error(answer.error.message)
  },
}

/**
 * The path of a File that a person dropped; one made by a script has none. Before Electron 32 the
 * File itself tells it, by its prototype's getter in this page's own world: what the window says of
 * `path` is never asked.
 */
function pathOf(file: unknown): string {
  if (!(file instanceof File)) return ''
  if (webUtils) return webUtils.getPathForFile(file)
  const path: unknown = Object.getOwnPropertyDescriptor(File.prototype, 'path')?.get?.call(file)
  return typeof path === 'string' ? path : ''
}

contextBridge.exposeInMainWorld('stowage', api)
