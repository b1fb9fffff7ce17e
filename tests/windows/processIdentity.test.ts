import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { bundle } from '../support/bundle'
import { temporaryFolder } from '../support/temporaryFolder'
import { underWine, WINDOWS_NODE, winePath } from '../support/wine'

it('a process is known by its number and its start, so that one that got its number is another', async () => {
  const reader = await bundle('tests/fixtures/identityReader.ts', await temporaryFolder())
  const { stdout, stderr } = await underWine([WINDOWS_NODE, reader], {
    env: { STOWAGE_ADDON: winePath(resolve('build/native/win32-x64/stowage.node')) },
  })
  expect(stderr).toBe('')
  const { own, alive } = JSON.parse(stdout)
  // 100 ns since 1601.
  expect(own).toMatch(/^\d+ 13\d{16}$/)
  expect(alive).toEqual([true, false, false])
})
