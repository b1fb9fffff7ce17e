import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  APP_ID,
  appStreamEntry,
  desktopEntry,
  PROJECT_MIME,
} from '../../scripts/packaging/desktopEntries.mjs'
import { findProgram } from '../../src/engine/tools/findProgram'
import { temporaryFolder } from '../support/temporaryFolder'

it('the entry in the menu of applications is valid', async (context) => {
  if ((await findProgram('desktop-file-validate')) === null)
    return context.skip('desktop-file-validate is not installed')
  const file = join(await temporaryFolder(), `${APP_ID}.desktop`)
  await writeFile(file, desktopEntry('stowage-window'))
  expect(execFileSync('desktop-file-validate', [file], { encoding: 'utf8' })).toBe('')
})

it('the entry of software centres is valid', async (context) => {
  if ((await findProgram('appstreamcli')) === null) return context.skip('appstreamcli is not installed')
  const file = join(await temporaryFolder(), `${APP_ID}.metainfo.xml`)
  await writeFile(file, appStreamEntry({ version: '1.2.3', date: '2026-11-26' }))
  const said = execFileSync('appstreamcli', ['validate', '--no-net', '--no-color', file], {
    encoding: 'utf8',
  })
  expect(said).toContain('Validation was successful')
})

it('projects have a type of their own', () => {
  expect(PROJECT_MIME).toContain('<glob pattern="*.stowage.yaml"')
})
