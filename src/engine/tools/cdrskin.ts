import { said } from '../../primitives/said'
import type { ExternalTool } from './externalTool'
import { findVersion } from './findVersion'

/** Burns CDs, DVDs and Blu-ray discs by libburn. */
export const cdrskin: ExternalTool = {
  name: 'cdrskin',
  neededFor: said`burning without xorriso, or by --burner cdrskin`,
  howToGet: said`install it with "apt install cdrskin" or "brew install cdrskin"`,
  find: (signal) =>
    findVersion('cdrskin', '--version', /^cdrskin(?: version +:|) +(\d[\w.]*)/m, {
      signal,
      otherwise: 'unknown',
    }),
}
