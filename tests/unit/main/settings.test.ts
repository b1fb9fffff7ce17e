import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../src/contract/dto/settings'
import { changeSettings } from '../../../src/files/settingsFile'
import type { SettingsPlace } from '../../../src/files/settingsPlace'
import { openSettings } from '../../../src/main/settings'
import { temporaryFolder } from '../../support/temporaryFolder'

const placeIn = (folder: string): SettingsPlace => ({
  file: path.join(folder, 'settings.yaml'),
  earlier: path.join(folder, 'settings.json'),
})

it('has its defaults where nothing was saved', async () => {
  const settings = await openSettings(placeIn(await temporaryFolder()))
  expect(settings.current).toEqual(DEFAULT_SETTINGS)
  expect(settings.failures).toEqual([])
})

it('keeps the saved settings for the next start', async () => {
  const place = placeIn(path.join(await temporaryFolder(), 'new'))
  const settings = await openSettings(place)
  await settings.save({ theme: 'dark' })
  expect(await settings.save({ units: 'binary' })).toEqual({
    ...DEFAULT_SETTINGS,
    theme: 'dark',
    units: 'binary',
  })
  expect((await openSettings(place)).current).toEqual(settings.current)
})

it('writes changes made at once one after another, the last one last', async () => {
  const place = placeIn(await temporaryFolder())
  const settings = await openSettings(place)
  const saved = await Promise.all([
    ...['a', 'b', 'c', 'd', 'e', 'f'].map((medium) => settings.save({ medium: `custom:${medium}` })),
    settings.save({ theme: 'dark' }),
  ])
  expect(saved.map(({ theme }) => theme)).toEqual(Array(7).fill('dark'))
  expect((await openSettings(place)).current).toMatchObject({ medium: 'custom:f', theme: 'dark' })
})

it('takes over what the command line has set meanwhile', async () => {
  const place = placeIn(await temporaryFolder())
  const settings = await openSettings(place)
  await changeSettings(place, { 'max-memory': '64MiB' })
  expect(await settings.save({ theme: 'dark' })).toMatchObject({ 'max-memory': '64MiB', theme: 'dark' })
})

it('keeps the sound ones of settings that partly make no sense, and names the others', async () => {
  const place = placeIn(await temporaryFolder())
  await writeFile(place.file, 'units: binary\ntheme: neon\nsha256: maybe\nunknown: 1\n')
  const settings = await openSettings(place)
  expect(settings.current).toEqual({ ...DEFAULT_SETTINGS, units: 'binary' })
  expect(settings.failures.map(({ message }) => message)).toEqual([
    `${place.file}:2:8: theme takes system, light or dark, not "neon"`,
    `${place.file}:3:9: sha256 takes true or false, not "maybe"`,
  ])
})

it('leaves a broken file as it is, names it, and saves again when it is corrected', async () => {
  const place = placeIn(await temporaryFolder())
  await writeFile(place.file, 'units: "bin')
  const settings = await openSettings(place)
  expect(settings.current).toEqual(DEFAULT_SETTINGS)
  expect(settings.failures).toMatchObject([{ code: 'bad-input', path: place.file }])
  await expect(settings.save({ theme: 'dark' })).rejects.toMatchObject({ code: 'bad-input' })
  expect(settings.current.theme).toBe('dark')
  expect(await readFile(place.file, 'utf8')).toBe('units: "bin')
  await writeFile(place.file, 'units: binary\n')
  await settings.save({ theme: 'light' })
  expect(await readFile(place.file, 'utf8')).toBe('units: binary\ntheme: light\n')
})

it('says when settings cannot be written', async () => {
  const blocked = path.join(await temporaryFolder(), 'data')
  await writeFile(blocked, 'a file where the folder should be')
  const settings = await openSettings(placeIn(blocked))
  await expect(settings.save({ theme: 'dark' })).rejects.toThrow(/^cannot write .*data.settings\.yaml: /)
  expect(await readFile(blocked, 'utf8')).toBe('a file where the folder should be')
})
