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

void runCommand(process.argv.slice(2), { out: standardOutput(), err: process.stderr }).then((code) => {
  process.exitCode = code
})
