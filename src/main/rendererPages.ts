import { protocol } from 'electron'
import { answerPage, SCHEME } from './pageAnswer'

/** Must be called before the app is ready: afterwards Chromium has fixed what schemes may do. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ])
}

/**
 * Serves the window's folder. Runtimes before Electron 25 have only the older form of the same
 * registration.
 */
export function servePages(folder: string): void {
  if (typeof protocol.handle === 'function') {
    protocol.handle(SCHEME, async (request) => {
      const { status, headers, body } = await answerPage(folder, request.url)
      return new Response(new Uint8Array(body), { status, headers })
    })
    return
  }
  protocol.registerBufferProtocol(SCHEME, (request, respond) => {
    void answerPage(folder, request.url).then(({ status, headers, body }) =>
      respond({ statusCode: status, headers, data: body }),
    )
  })
}
