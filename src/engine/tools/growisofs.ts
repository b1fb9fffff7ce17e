import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { runTool } from './runTool'

/** Burns DVDs and Blu-ray discs. Only devices are ever given to it: as root it may unmount /proc for a regular file. */
export const growisofs: ExternalTool = {
  name: 'growisofs',
  neededFor: 'burning by --burner growisofs or burn-growisofs.sh (xorriso can burn too)',
  howToGet: 'install it with "apt install growisofs" or "dnf install dvd+rw-tools"',
  async find() {
    const path = await findProgram('growisofs')
    if (!path) return null
    const { output, errorLines } = await runTool(path, ['-version'])
    const version = /version (\d[\w.]*)/.exec([output, ...errorLines].join('\n'))?.[1]
    return { path, version: version ?? 'unknown' }
  },
}
