import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compilingLine } from '../../../scripts/bootstrap/builds.mjs'
import { requireLocked } from '../../../scripts/bootstrap/headerPackages.mjs'
import { temporaryFolder } from '../../support/archiveRun'

it('a header package with another digest than the lock has is refused', () => {
  const folder = temporaryFolder('headers')
  const archive = join(folder.path, 'headers-1.0.0.tgz')
  writeFileSync(archive, 'content')
  const digest = createHash('sha512').update('content').digest('base64')
  expect(() => requireLocked(archive, `sha512-${digest}`)).not.toThrow()
  writeFileSync(archive, 'contents')
  expect(() => requireLocked(archive, `sha512-${digest}`)).toThrow(
    'headers-1.0.0.tgz is not the package of package-lock.json: it has another SHA-512',
  )
  folder.dispose()
})

it('compiling says how many steps are done, and about how long the rest takes', () => {
  expect(compilingLine('[0/2] Re-checking globbed directories...\n', 500)).toBeNull()
  const log = '[0/2] Re-checking globbed directories...\n[1/30] Building a\n[12/30] Building b\n'
  expect(compilingLine(log, 20_000)).toBe('compiling the native addon: 12 of 30 steps, about 30 s left')
})
