import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'

/** A screen to open windows on, and how to take it away again. */
export interface Display {
  readonly name: string
  close(): Promise<void>
}

/**
 * The display of this environment, or else a virtual one of our own on a free number.
 * @throws Error when there is no display and Xvfb is not installed
 */
export async function openDisplay(): Promise<Display> {
  const present = process.env['DISPLAY']
  if (present || process.platform !== 'linux') return { name: present ?? '', close: async () => {} }
  // Xvfb picks the first free number itself and writes it to the given descriptor once it is ready.
  const args = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const number = await firstLine(server)
  return {
    name: `:${number}`,
    async close() {
      const gone = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await gone
    },
  }
}

function firstLine(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    server.once('error', (error) => reject(new Error(`no display and no Xvfb: ${error.message}`)))
    server.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)))
    server.stdio[3]?.on('data', (piece: Buffer) => {
      text += piece.toString()
      if (text.includes('\n')) resolve(text.trim())
    })
  })
}
