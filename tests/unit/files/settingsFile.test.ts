import { chmod, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { changeFile } from '../../../src/files/atomicFile'
import { changeSettings, readSettings, settingOf } from '../../../src/files/settingsFile'
import { settingsPlace } from '../../../src/files/settingsPlace'
import { temporaryFolder } from '../../support/temporaryFolder'

describe('the place of the settings', () => {
  const of = (platform: string, env: Readonly<Record<string, string>> = {}) =>
    settingsPlace({ platform, homeDir: '/home/ana', env }).file

  it('is the folder that the system’s convention names, or STOWAGE_HOME', () => {
    expect(of('linux')).toBe('/home/ana/.config/stowage/settings.yaml')
    expect(of('linux', { XDG_CONFIG_HOME: '/etc/ana' })).toBe('/etc/ana/stowage/settings.yaml')
    expect(of('linux', { XDG_CONFIG_HOME: 'relative' })).toBe('/home/ana/.config/stowage/settings.yaml')
    expect(of('darwin')).toBe('/home/ana/Library/Application Support/Stowage/settings.yaml')
    expect(of('win32', { APPDATA: 'C:\\Roaming' })).toContain('C:\\Roaming\\Stowage')
    expect(of('linux', { STOWAGE_HOME: '/data', XDG_CONFIG_HOME: '/etc/ana' })).toBe('/data/settings.yaml')
  })
})

async function emptyPlace() {
  const folder = await temporaryFolder()
  return {
    folder,
    file: path.join(folder, 'config', 'settings.yaml'),
    earlier: path.join(folder, 'settings.json'),
  }
}

describe('the settings file', () => {
  it('is made with its folder by the first change, and nothing else stays', async () => {
    const place = await emptyPlace()
    await changeSettings(place, { units: 'binary' })
    expect(settingOf(await readSettings(place), 'units')).toBe('binary')
    expect(await readdir(path.dirname(place.file))).toEqual(['settings.yaml'])
  })

  it('loses nothing of many changes at once', async () => {
    const place = await emptyPlace()
    const each = (index: number) => changeFile(place.file, (text) => `${text ?? ''}${index}\n`)
    await Promise.all(Array.from({ length: 25 }, (_, index) => each(index)))
    const lines = (await readFile(place.file, 'utf8')).trim().split('\n')
    expect(lines.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, k) => k))
    expect(await readdir(path.dirname(place.file))).toEqual(['settings.yaml'])
  })

  it('can be changed although a killed process has left its lock', async () => {
    const place = await emptyPlace()
    await mkdir(path.dirname(place.file))
    await writeFile(`${place.file}.lock`, 'units: bin')
    const both = [changeSettings(place, { units: 'binary' }), changeSettings(place, { theme: 'dark' })]
    await Promise.all(both)
    expect((await readSettings(place)).values).toEqual({ units: 'binary', theme: 'dark' })
    expect(await readdir(path.dirname(place.file))).toEqual(['settings.yaml'])
  })

  it('stays as it was when a change is refused, without a lock', async () => {
    const place = await emptyPlace()
    await mkdir(path.dirname(place.file))
    await writeFile(place.file, 'units: [')
    await expect(changeSettings(place, { units: 'binary' })).rejects.toMatchObject({ code: 'bad-input' })
    expect(await readFile(place.file, 'utf8')).toBe('units: [')
    expect(await readdir(path.dirname(place.file))).toEqual(['settings.yaml'])
  })

  it('keeps its permissions, and a link to it stays a link', async () => {
    const place = await emptyPlace()
    const real = path.join(place.folder, 'dotfiles.yaml')
    await writeFile(real, '# mine\n')
    await chmod(real, 0o640)
    await mkdir(path.dirname(place.file))
    await symlink(real, place.file)
    await changeSettings(place, { units: 'binary' })
    expect((await lstat(place.file)).isSymbolicLink()).toBe(true)
    expect(await readFile(real, 'utf8')).toBe('# mine\n\nunits: binary\n')
    expect((await lstat(real)).mode & 0o777).toBe(0o640)
  })

  it('is refused in one line where it is not text', async () => {
    const place = await emptyPlace()
    await mkdir(path.dirname(place.file))
    await writeFile(place.file, Buffer.from([0x75, 0xff, 0xfe]))
    await expect(readSettings(place)).rejects.toThrow(`cannot read ${place.file}: it is not UTF-8 text`)
  })
})

describe('settings of an earlier version', () => {
  it('hold until the first change takes them over; their file stays', async () => {
    const place = await emptyPlace()
    const old = JSON.stringify({
      units: 'binary',
      theme: 'system',
      mediumId: 'dvd-r',
      sha256: true,
      later: 1,
    })
    await writeFile(place.earlier, old)
    expect(await readSettings(place)).toMatchObject({
      file: place.earlier,
      values: { units: 'binary', medium: 'dvd-r' },
    })
    await changeSettings(place, { theme: 'dark' })
    expect(await readSettings(place)).toMatchObject({
      file: place.file,
      values: { units: 'binary', medium: 'dvd-r', theme: 'dark' },
    })
    expect(await readFile(place.file, 'utf8')).toContain('later: 1\n')
    expect(await readFile(place.earlier, 'utf8')).toBe(old)
  })

  it('count for nothing where their file is broken', async () => {
    const place = await emptyPlace()
    await writeFile(place.earlier, '{"units": "bin')
    expect((await readSettings(place)).values).toEqual({})
    await changeSettings(place, { theme: 'dark' })
    expect((await readSettings(place)).values).toEqual({ theme: 'dark' })
    expect(await readFile(place.earlier, 'utf8')).toBe('{"units": "bin')
  })
})
