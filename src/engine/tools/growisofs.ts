import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { runTool } from './runTool'

/** Burns DVDs and Blu-ray discs. Stowage never runs it on a disc itself: it writes the command for a person to run. */
export const growisofs: ExternalTool = {
  name: 'growisofs',
  neededFor: 'burning with burn-growisofs.sh (xorriso can burn too)',
  howToGet: 'install it with "apt install growisofs" or "dnf install dvd+rw-tools"',
  async find() {
    const path = await findProgram('growisofs')
    if (!path) return null
    const { output, errorLines } = await runTool(path, ['-version'])
    const version = /version (\d[\w.]*)/.exec([output, ...errorLines].join('\n'))?.[1]
    return { path, version: version ?? 'unknown' }
  },
}
