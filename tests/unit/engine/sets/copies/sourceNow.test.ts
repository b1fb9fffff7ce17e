import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SourceEntry } from '../../../../../src/engine/catalog/sourceFiles'
import { sourceNow } from '../../../../../src/engine/sets/copies/sourceNow'
import { boundByPermissions } from '../../../../support/boundByPermissions'
import { EMPTY_DOCUMENT } from '../../../../support/catalogSurvey'
import { put, temporaryFolder } from '../../../../support/surveyedFolder'

/** The folder that was surveyed, which is an entry too. */
const TOP: SourceEntry = {
  id: 1,
  kind: 'folder',
  rootIndex: 0,
  path: '',
  bytes: 0,
  sha256: null,
  mtimeNs: null,
  linkOf: null,
  linkTarget: null,
}

test('a folder that cannot be listed is named once, by its survey where that could not either', async () => {
  const root = temporaryFolder()
  const path = join(root, 'locked')
  put(root, 'locked/file', 'x')
  chmodSync(path, 0o000)
  onTestFinished(() => chmodSync(path, 0o755))
  const survey = { ...EMPTY_DOCUMENT, id: 's-1', roots: [root] }
  const flawsAfter = async (skipped: readonly string[]) => {
    const skips = skipped.map((each) => ({ path: each, code: 'permission-denied', message: '' }) as const)
    const catalog = {
      ownPlaces: () => ({ dataFolder: '/nowhere', plans: [] }),
      sourceFiles: () => [TOP].values(),
      surveySkips: () => skips.values(),
    }
    const options = { limit: 5, pause: async () => {} }
    return (await boundByPermissions(() => sourceNow(catalog, survey, options))).flaws
  }
  const flaw = { files: 1, bytes: 0, paths: [path] }
  expect(await flawsAfter([])).toEqual([{ code: 'unread', ...flaw }])
  expect(await flawsAfter([path])).toEqual([{ code: 'skipped', ...flaw }])
})
