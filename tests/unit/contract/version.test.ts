import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { APP_VERSION } from '../../../src/contract/version'

it('is the version of package.json', async () => {
  const manifest = await readFile(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8')
  expect(APP_VERSION).toBe((JSON.parse(manifest) as { version: string }).version)
})
