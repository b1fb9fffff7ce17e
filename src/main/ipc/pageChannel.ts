import type { BrowserWindow } from 'electron'
import type { Emit } from '../../contract/defineSchema'
import { channelOf } from '../../contract/defineSchema'
import type { RendererSchema } from '../../contract/rendererSchema'
import type { RunningJob } from '../engine/jobLedger'

/**
 * Events to the window's page. Events before the page listens are queued and delivered then, in
 * order.
 */
interface PageChannel {
  readonly emit: Emit<RendererSchema>
  /** An event whose payload has been validated elsewhere, by its channel's name. */
  forward(channel: string, payload: unknown): void
  /**
   * The page listens from now on; also one that was loaded anew, which knows nothing of the jobs
   * that run.
   */
  open(running: readonly RunningJob[]): void
}

/**
 * Until the page listens, only this many events are kept, the latest: they are states and failures,
 * not data.
 */
const KEPT_LIMIT = 1000

export function openPageChannel(window: () => BrowserWindow | null): PageChannel {
  let kept: [string, unknown][] = []
  let isListening = false
  const forward = (channel: string, payload: unknown): void => {
    const target = window()
    if (isListening && target && !target.isDestroyed()) target.webContents.send(channel, payload)
    else kept = [...kept, [channel, payload] satisfies [string, unknown]].slice(-KEPT_LIMIT)
  }
  return {
    forward,
    emit: (group, name, payload) => forward(channelOf(group, name), payload),
    open(running) {
      isListening = true
      const waiting = kept
      kept = []
      for (const [channel, payload] of waiting) forward(channel, payload)
      for (const { progress } of running)
        if (progress !== null) forward(channelOf('job', 'progress'), progress)
    },
  }
}
