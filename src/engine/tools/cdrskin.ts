import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { statedVersion } from './statedVersion'

/** Burns CDs, DVDs and Blu-ray discs by libburn. */
export const cdrskin: ExternalTool = {
  name: 'cdrskin',
  neededFor: 'burning by --burner cdrskin (xorriso can burn too)',
  howToGet: 'install it with "apt install cdrskin" or "brew install cdrskin"',
  async find(signal) {
    const path = await findProgram('cdrskin')
    const pattern = /^cdrskin(?: version +:|) +(\d[\w.]*)/m
    const found = await statedVersion(path, ['--version'], pattern, signal ? { signal } : {})
    return found ?? (path === null ? null : { path, version: 'unknown' })
  },
}
