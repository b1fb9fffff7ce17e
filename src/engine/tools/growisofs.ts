import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { statedVersion } from './statedVersion'

/** Burns DVDs and Blu-ray discs. Only devices are ever given to it: as root it may unmount /proc for a regular file. */
export const growisofs: ExternalTool = {
  name: 'growisofs',
  neededFor: 'burning by --burner growisofs or burn-growisofs.sh (xorriso can burn too)',
  howToGet: 'install it with "apt install growisofs" or "dnf install dvd+rw-tools"',
  async find() {
    const path = await findProgram('growisofs')
    const found = await statedVersion(path, ['-version'], /version (\d[\w.]*)/)
    return found ?? (path === null ? null : { path, version: 'unknown' })
  },
}
