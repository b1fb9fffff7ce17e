import { ORIGIN } from '../pageAnswer'

/** The parts of Electron's objects that tell who sent a message. */
interface FrameLike {
  readonly processId: number
  readonly routingId: number
  readonly url: string
}
interface ContentsLike {
  readonly mainFrame: FrameLike
}
interface WindowLike {
  readonly webContents: ContentsLike
  isDestroyed(): boolean
}
interface SenderOfMessage {
  readonly sender: ContentsLike
  /** Null when the frame has gone meanwhile. */
  readonly senderFrame: FrameLike | null
}

/**
 * True when a message comes from the main frame of our window showing our page: nobody else is
 * answered.
 */
export function isOurPage(window: WindowLike | null, event: SenderOfMessage): boolean {
  if (!window || window.isDestroyed() || event.sender !== window.webContents || !event.senderFrame)
    return false
  const main = window.webContents.mainFrame
  const { processId, routingId, url } = event.senderFrame
  return processId === main.processId && routingId === main.routingId && url.startsWith(`${ORIGIN}/`)
}
