import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { DEFAULT_SETTINGS, openSettings } from '../../../src/main/settings'
import { temporaryFolder } from '../../support/temporaryFolder'

it('has its defaults where nothing was saved', async () => {
  const settings = await openSettings(await temporaryFolder())
  expect(settings.current).toEqual(DEFAULT_SETTINGS)
})

it('keeps the saved settings for the next start, and leaves no partial file', async () => {
  const folder = await temporaryFolder()
  const settings = await openSettings(path.join(folder, 'new'))
  await settings.save({ theme: 'dark' })
  expect(await settings.save({ units: 'binary' })).toEqual({
    ...DEFAULT_SETTINGS,
    theme: 'dark',
    units: 'binary',
  })
  expect((await openSettings(path.join(folder, 'new'))).current).toEqual(settings.current)
  expect(await readdir(path.join(folder, 'new'))).toEqual(['settings.json'])
})

it('writes changes made at once one after another, the last one last', async () => {
  const folder = await temporaryFolder()
  const settings = await openSettings(folder)
  await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((mediumId) => settings.save({ mediumId: `custom:${mediumId}` })),
  )
  expect((await openSettings(folder)).current.mediumId).toBe('custom:f')
})

it('keeps the sound ones of settings that partly make no sense', async () => {
  const folder = await temporaryFolder()
  const text = JSON.stringify({ units: 'binary', theme: 'neon', sha256: 'yes', unknown: 1 })
  await writeFile(path.join(folder, 'settings.json'), text)
  expect((await openSettings(folder)).current).toEqual({ ...DEFAULT_SETTINGS, units: 'binary' })
})

it('sets a broken file aside and does not lose it', async () => {
  const folder = await temporaryFolder()
  await writeFile(path.join(folder, 'settings.json'), '{"units": "bin')
  expect((await openSettings(folder)).current).toEqual(DEFAULT_SETTINGS)
  expect(await readFile(path.join(folder, 'settings.broken.json'), 'utf8')).toBe('{"units": "bin')
})

it('says when settings cannot be written, and saves again when they can', async () => {
  const folder = await temporaryFolder()
  const blocked = path.join(folder, 'data')
  await writeFile(blocked, 'a file where the folder should be')
  const settings = await openSettings(blocked)
  await expect(settings.save({ theme: 'dark' })).rejects.toThrow(/EEXIST|ENOTDIR/)
  expect(await readFile(blocked, 'utf8')).toBe('a file where the folder should be')
})

it('takes a file of before there was a choice of samples as it is, with the usual samples', async () => {
  const folder = await temporaryFolder()
  const old = { units: 'binary', theme: 'dark', mediumId: 'dvd-r', sha256: false }
  await writeFile(path.join(folder, 'settings.json'), JSON.stringify(old))
  const settings = await openSettings(folder)
  expect(settings.current).toEqual({ ...old, samples: 'normal' })
  await settings.save({ samples: 'quick' })
  expect((await openSettings(folder)).current).toEqual({ ...old, samples: 'quick' })
})
