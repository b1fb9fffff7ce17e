/**
 * `node scripts/packaging/manifests.mjs ADDRESS [FOLDER]`: writes the manifests by which Flatpak,
 * winget and Homebrew install the packages in FOLDER (build/packages), into its folder `manifests`.
 * ADDRESS is where these packages are downloaded; a manifest whose package is missing is left out.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { ROOT } from '../bootstrap/paths.mjs'
import { APP_ID } from './desktopEntries.mjs'
import { packagesIn } from './sums.mjs'

const SUMMARY = 'Plan archives from measurements'
const WINGET_SCHEMA = '1.6.0'

const BY_INSTALLER = { InstallerType: 'nullsoft', Scope: 'user', Commands: ['stowage'] }
const FROM_ZIP = {
  InstallerType: 'zip',
  NestedInstallerType: 'portable',
  NestedInstallerFiles: [
    { RelativeFilePath: String.raw`resources\bin\stowage.cmd`, PortableCommandAlias: 'stowage' },
    { RelativeFilePath: 'Stowage.exe', PortableCommandAlias: 'stowage-window' },
  ],
}

/**
 * The manifests for these packages, by file name.
 * @param {{ version: string, address: string, packages: { name: string, sha256: string }[] }} release
 * @returns {Record<string, string>}
 */
export function manifests({ version, address, packages }) {
  const download = (ending) => {
    const found = packages.find(({ name }) => name === `stowage-${version}-${ending}`)
    return found && { url: `${address.replace(/\/$/, '')}/${found.name}`, sha256: found.sha256 }
  }
  const deb = download('linux-x64.deb')
  const windows = { installer: download('win-x64.exe'), zip: download('win-x64.zip') }
  const [intel, apple] = [download('mac-x64.zip'), download('mac-arm64.zip')]
  return {
    ...(deb && { [`flatpak/${APP_ID}.yml`]: stringify(flatpak(deb)) }),
    ...((windows.installer ?? windows.zip) && wingetFiles(version, windows)),
    ...(intel && apple && { 'homebrew/stowage.rb': cask(version, intel, apple) }),
  }
}

/** Made from the deb; its sandbox lets Stowage read what a person may read, and write where sets go. */
function flatpak(deb) {
  const install = [
    'ar x stowage.deb',
    'tar --extract --file=data.tar.zst',
    'cp -a usr/lib/stowage /app/stowage',
    'cp -a usr/share/icons usr/share/metainfo usr/share/mime /app/share/',
    'install -Dm755 stowage-window.sh /app/bin/stowage-window',
    `install -Dm644 usr/share/applications/${APP_ID}.desktop -t /app/share/applications`,
    'ln -s ../stowage/resources/bin/stowage /app/bin/stowage',
  ]
  return {
    id: APP_ID,
    runtime: 'org.freedesktop.Platform',
    'runtime-version': '24.08',
    sdk: 'org.freedesktop.Sdk',
    base: 'org.electronjs.Electron2.BaseApp',
    'base-version': '24.08',
    command: 'stowage-window',
    'finish-args': ['--share=ipc', '--socket=x11', '--socket=wayland', '--device=all', '--filesystem=host'],
    modules: [
      {
        name: 'stowage',
        buildsystem: 'simple',
        'build-commands': install,
        sources: [
          { type: 'file', url: deb.url, sha256: deb.sha256, 'dest-filename': 'stowage.deb' },
          {
            type: 'script',
            'dest-filename': 'stowage-window.sh',
            commands: ['exec zypak-wrapper /app/stowage/stowage-window "$@"'],
          },
        ],
      },
    ],
  }
}

/** By the installer where there is one: what comes from the zip has no place in the Start menu. */
function wingetFiles(version, { installer, zip }) {
  const { url, sha256 } = installer ?? zip
  const common = { PackageIdentifier: 'Stowage.Stowage', PackageVersion: version }
  const kind = (ManifestType) => ({ ManifestType, ManifestVersion: WINGET_SCHEMA })
  const files = {
    'Stowage.Stowage.yaml': { ...common, DefaultLocale: 'en-US', ...kind('version') },
    'Stowage.Stowage.locale.en-US.yaml': {
      ...common,
      PackageLocale: 'en-US',
      Publisher: 'The Stowage developers',
      PackageName: 'Stowage',
      License: 'MIT',
      ShortDescription: SUMMARY,
      ...kind('defaultLocale'),
    },
    'Stowage.Stowage.installer.yaml': {
      ...common,
      ...(installer ? BY_INSTALLER : FROM_ZIP),
      Installers: [{ Architecture: 'x64', InstallerUrl: url, InstallerSha256: sha256.toUpperCase() }],
      ...kind('installer'),
    },
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`winget/${name}`, stringify(content)]),
  )
}

function cask(version, intel, apple) {
  return `cask "stowage" do
  arch arm: "arm64", intel: "x64"

  version "${version}"
  sha256 arm:   "${apple.sha256}",
         intel: "${intel.sha256}"

  url "${apple.url.replace(version, '#{version}').replace('-arm64', '-#{arch}')}"
  name "Stowage"
  desc "${SUMMARY}"

  app "Stowage.app"
  binary "#{appdir}/Stowage.app/Contents/Resources/bin/stowage"
end
`
}

if (process.argv[1]?.endsWith('manifests.mjs')) {
  const [address, folder = join(ROOT, 'build/packages')] = process.argv.slice(2)
  if (!/^https:\/\/\S+$/.test(address ?? '')) {
    process.stderr.write('stowage: usage: node scripts/packaging/manifests.mjs https://… [FOLDER]\n')
    process.exitCode = 2
  } else {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const made = manifests({ version, address, packages: packagesIn(folder, version) })
    for (const [name, text] of Object.entries(made)) {
      const place = join(folder, 'manifests', name)
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, text)
    }
    process.stdout.write(`${Object.keys(made).length} manifests written to ${join(folder, 'manifests')}\n`)
  }
}
