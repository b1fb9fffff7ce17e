import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { must, run } from '../electronRuntime.mjs'
import { APP_ID } from './desktopEntries.mjs'
import { makeTree } from './linuxTree.mjs'

const PROCESSORS = { x64: 'x86_64', arm64: 'aarch64' }
/** Found by the name of the library, which all distributions with RPM share. */
const LIBRARIES = ['libasound.so.2', 'libgbm.so.1', 'libgtk-3.so.0', 'libnss3.so', 'libatspi.so.0']

/** Makes the rpm from the same tree as the deb, without scripts. */
export function makeRpm(details) {
  const { target, output, release } = details
  const place = join(output, `work-rpm-${target.arch}`)
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place)
  const root = makeTree(details, join(place, 'root'))
  const spec = join(place, 'stowage.spec')
  writeFileSync(
    spec,
    `Name: stowage
Version: ${release.version}
Release: 1
Summary: Plan archives from measurements
License: MIT
Vendor: The Stowage developers
AutoReqProv: no
${LIBRARIES.map((name) => `Requires: ${name}()(64bit)`).join('\n')}
Requires: xdg-utils
Recommends: xorriso
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _binary_payload w9.zstdio
%global _build_id_links none
%global _buildhost localhost
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%description
Stowage reads a folder one time and shows how much every way to store it would
save: discs, disk images, archives and backup repositories. Then it makes a set
of discs that fits, builds the images and reads every file back.
%files
%defattr(-,root,root,-)
/usr/bin/stowage
/usr/bin/stowage-window
/usr/lib/stowage
/usr/share/applications/${APP_ID}.desktop
/usr/share/metainfo/${APP_ID}.metainfo.xml
/usr/share/mime/packages/${APP_ID}.xml
/usr/share/icons/hicolor/*/apps/${APP_ID}.png
/usr/share/doc/stowage
/usr/share/man/man1/stowage*.1.gz
`,
  )
  const machine = PROCESSORS[target.arch]
  const where = ['--buildroot', root, '--define', `_topdir ${place}`, '--define', `_rpmdir ${place}`]
  const how = [
    '-bb',
    '--target',
    `${machine}-linux`,
    '--define',
    '__spec_install_pre %{nil}',
    '--noclean',
    ...where,
    spec,
  ]
  must(run('rpmbuild', how), 'rpmbuild failed')
  const made = join(place, machine, `stowage-${release.version}-1.${machine}.rpm`)
  renameSync(made, join(output, `stowage-${release.version}-linux-${target.arch}.rpm`))
}
