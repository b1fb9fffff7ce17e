import { createServer, type Server } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/**
 * Waits until no other process holds this name, and holds it until the server is closed. For tests
 * whose files have to be at the same path in every run.
 */
export async function onlyRun(name: string): Promise<Server> {
  for (;;) {
    const server = createServer()
    // A name of this kind goes with the process.
    const isOurs = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(`\0${name}`, () => resolve(true))
    })
    if (isOurs) return server
    await setTimeout(100)
  }
}
