import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import copy from '../../../assets/copy/en/imagesStep.json' with { type: 'json' }
import { containerEncryption, openContainer } from '../../../src/engine/native/containers'
import { temporaryFolder } from '../../support/temporaryFolder'
import { answerFolderDialogs, askFromPage, openApp } from './appWindow'

const PASSWORD = 'a vault’s password'

it('creates a vault, verifies it and changes its password, which is in no log and no catalog', {
  tags: 'long',
}, async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'Vault.sparsebundle')
  const { app, page, home, screenshot, complaints, log } = await openApp()
  const button = (key: keyof typeof copy) => page.getByRole('button', { name: copy[key], exact: true })
  const field = (key: keyof typeof copy) => page.getByLabel(copy[key], { exact: true })

  await page.getByRole('button', { name: `${copy['step.images']}, nothing yet` }).click()
  const untold = { path, kind: 'UDSB', bytes: 4096 }
  expect(await askFromPage(page, 'image.create', untold)).toMatchObject({
    ok: false,
    error: { code: 'refused' },
  })

  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
  await page.getByText('Vault', { exact: true }).click()
  await field('images.size').fill('8MiB')
  await field('images.password.new').fill(PASSWORD)
  await field('images.password.again').fill(PASSWORD)
  await button('images.make').and(page.locator(':enabled')).click()
  await page.getByText(copy['images.did.create']).waitFor()
  expect(await containerEncryption(path)).toMatchObject({ keyBits: 256 })
  await screenshot('images 1, made')

  await answerFolderDialogs(app, path)
  await button('images.openBundle').click()
  await page.getByText(copy['images.locked']).waitFor()
  await field('images.password').fill(PASSWORD)
  await button('images.unlock').click()
  await page.getByText(copy['images.sha256']).first().click()
  await button('images.do.verify').and(page.locator(':enabled')).click()
  await page.getByText(copy['images.verified.well']).waitFor()
  await page.getByText('2daeb1f36095b44b318410b3f4e8b5d989dcc7bb023d1426c492dab0a3053e74').waitFor()
  await screenshot('images 2, verified')

  await page.getByText(copy['images.verb.changePassword'], { exact: true }).click()
  await field('images.password.new').fill('and another one')
  await field('images.password.again').fill('and another one')
  await button('images.do.changePassword').and(page.locator(':enabled')).click()
  await page.getByText(copy['images.did.changePassword']).waitFor()
  const disk = await openContainer(path, { password: Buffer.from('and another one') })
  expect((await disk.info()).bytes).toBe(8 * 1024 * 1024)
  await disk.close()

  expect(await readdir(folder)).toEqual(['Vault.sparsebundle'])
  expect(complaints).toEqual([])
  expect(await log()).not.toMatch(/internal|uncaught/)
  for (const name of await readdir(home, { recursive: true })) {
    const file = join(home, name)
    // Chromium's temporary files come and go.
    const text = await readFile(file).catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT' || thrown.code === 'EISDIR' || thrown.code === 'ENXIO') return ''
      throw thrown
    })
    expect([name, text.includes(PASSWORD), text.includes('and another one')]).toEqual([name, false, false])
  }
})
