import { homedir } from 'node:os'
import { EXIT, exitCodeOf } from '../primitives/exitCode'
import { fileFailure } from '../primitives/fileFailure'
import { runCommand } from './runCommand'
import { standardOutput } from './standardOutput'

// A reader that stops reading (`stowage survey … | head`) ends us quietly, as it does other tools.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done)
  const { code, message } = fileFailure(error, 'write', 'the output')
  process.stderr.write(`stowage: ${message}\n`)
  process.exit(exitCodeOf(code))
})
// Progress that nobody can read does not end the work.
process.stderr.on('error', () => undefined)

const streams = { out: standardOutput(), err: process.stderr }
const surroundings = { platform: process.platform, homeDir: homedir(), env: process.env }
void runCommand(process.argv.slice(2), streams, surroundings).then((code) => {
  process.exitCode = code
})
