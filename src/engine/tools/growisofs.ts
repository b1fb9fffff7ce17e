import { said } from '../../primitives/said'
import type { ExternalTool } from './externalTool'
import { findVersion } from './findVersion'

/**
 * Burns DVDs and Blu-ray discs. Only devices are ever given to it: as root it may unmount /proc for
 * a regular file.
 */
export const growisofs: ExternalTool = {
  name: 'growisofs',
  neededFor: said`burning without xorriso, by --burner growisofs or by burn-growisofs.sh`,
  howToGet: said`install it with "apt install growisofs" or "dnf install dvd+rw-tools"`,
  find: (signal) =>
    findVersion('growisofs', '-version', /version (\d[\w.]*)/, { signal, otherwise: 'unknown' }),
}
