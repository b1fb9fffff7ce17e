import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { runTool } from './runTool'

/** Burns CDs, DVDs and Blu-ray discs by libburn. */
export const cdrskin: ExternalTool = {
  name: 'cdrskin',
  neededFor: 'burning by --burner cdrskin (xorriso can burn too)',
  howToGet: 'install it with "apt install cdrskin" or "brew install cdrskin"',
  async find(signal) {
    const path = await findProgram('cdrskin')
    if (!path) return null
    const { output, errorLines } = await runTool(path, ['--version'], signal ? { signal } : {})
    const version = /^cdrskin(?: version +:|) +(\d[\w.]*)/m.exec([output, ...errorLines].join('\n'))?.[1]
    return { path, version: version ?? 'unknown' }
  },
}
