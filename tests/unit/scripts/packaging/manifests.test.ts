import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { manifests } from '../../../../scripts/packaging/manifests.mjs'

const SUM = 'ab'.repeat(32)
const named = (...endings: readonly string[]) =>
  endings.map((ending) => ({ name: `stowage-1.2.3-${ending}`, sha256: SUM }))
const release = { version: '1.2.3', address: 'https://example.org/v1.2.3/' }

it('manifests name each package by its address, version and sum', () => {
  const packages = named('linux-x64.deb', 'win-x64.zip', 'mac-x64.zip', 'mac-arm64.zip')
  const made = manifests({ ...release, packages })
  const flatpak = parse(made['flatpak/org.stowage.Stowage.yml'] as string)
  expect(flatpak.modules[0].sources[0]).toMatchObject({
    url: 'https://example.org/v1.2.3/stowage-1.2.3-linux-x64.deb',
    sha256: SUM,
  })
  const winget = parse(made['winget/Stowage.Stowage.installer.yaml'] as string)
  expect(winget).toMatchObject({ PackageVersion: '1.2.3', ManifestType: 'installer' })
  expect(winget.Installers).toEqual([
    {
      Architecture: 'x64',
      InstallerUrl: 'https://example.org/v1.2.3/stowage-1.2.3-win-x64.zip',
      InstallerSha256: SUM.toUpperCase(),
    },
  ])
  const cask = made['homebrew/stowage.rb'] as string
  expect(cask.match(new RegExp(SUM, 'g'))).toHaveLength(2)
  expect(cask).toContain('version "1.2.3"')
})

it('winget takes the installer for Windows where there is one', () => {
  const made = manifests({ ...release, packages: named('win-x64.exe', 'win-x64.zip') })
  const winget = parse(made['winget/Stowage.Stowage.installer.yaml'] as string)
  expect(winget).toMatchObject({ InstallerType: 'nullsoft', Scope: 'user' })
  expect(winget.Installers[0].InstallerUrl).toMatch(/win-x64\.exe$/)
  expect(winget).not.toHaveProperty('NestedInstallerFiles')
})

it('a package that was not made gets no manifest', () => {
  expect(Object.keys(manifests({ ...release, packages: named('linux-x64.deb') }))).toEqual([
    'flatpak/org.stowage.Stowage.yml',
  ])
  expect(manifests({ ...release, packages: [] })).toEqual({})
})
