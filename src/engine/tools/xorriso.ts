import { said } from '../../primitives/said'
import type { ExternalTool } from './externalTool'
import { findVersion } from './findVersion'

/** Burns images, and looks into drives. */
export const xorriso: ExternalTool = {
  name: 'xorriso',
  neededFor: said`burning discs`,
  howToGet:
    process.platform === 'win32'
      ? said`it does not run on Windows, where burn-windows.cmd in the plan folder burns an image`
      : said`install it with "apt install xorriso", "dnf install xorriso" or "brew install xorriso"`,
  find: (signal) => findVersion('xorriso', '-no_rc -version', /^xorriso version\s*:\s*(\S+)/m, { signal }),
}
