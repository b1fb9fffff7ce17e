import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findCommand } from './paths.mjs'

/**
 * Debian's packages by what they are for, each with what shows that it is there: a command, a shared library or a file.
 * Behind a bar, the package's name in later releases.
 */
const GROUPS = {
  'to compile the native addon': {
    cmake: 'cmake',
    'ninja-build': 'ninja',
    'g++': 'g++',
    'libssl-dev': '/usr/include/openssl/evp.h',
    'zlib1g-dev': '/usr/include/zlib.h',
    'liblzma-dev': '/usr/include/lzma.h',
  },
  // Electron's shared libraries, which bring the others with them, and pip, which can fetch the runtime.
  'to show the window': {
    'libgtk-3-0|libgtk-3-0t64': 'libgtk-3.so.0',
    libnss3: 'libnss3.so',
    'libasound2|libasound2t64': 'libasound.so.2',
    libgbm1: 'libgbm.so.1',
    'fonts-dejavu-core': '/usr/share/fonts',
    'python3-pip': 'pip3',
  },
  'to make packages': {
    'squashfs-tools': 'mksquashfs',
    'desktop-file-utils': 'desktop-file-validate',
    appstream: 'appstreamcli',
    rpm: 'rpmbuild',
    nsis: 'makensis',
  },
  'to write and read disc images by another program': { xorriso: 'xorriso' },
  'to check and test the C++ code': {
    'libgtest-dev': '/usr/include/gtest/gtest.h',
    'clang-14': 'clang-14',
    'clang-tidy-14': 'run-clang-tidy-14',
    'clang-format-14': 'clang-format-14',
    'libclang-rt-14-dev': '/usr/lib/clang/14/lib',
  },
  'to install packages on a bare system in tests': { debootstrap: 'debootstrap', xdotool: 'xdotool' },
  'to test the window': { xvfb: 'Xvfb', xauth: 'xauth', chromium: 'chromium' },
  'to compare options and forecasts with the real tools': {
    restic: 'restic',
    borgbackup: 'borg',
    zstd: 'zstd',
    lz4: 'lz4',
    genisoimage: 'genisoimage',
    'dvd+rw-tools': 'growisofs',
  },
  'to test burning without a drive': { cdrskin: 'cdrskin' },
  'to count what a survey reads': { strace: 'strace' },
  'to check recovery data by another program': { par2: 'par2' },
  'to read labels and reports as printed': {
    'poppler-utils': 'pdftotext',
    'librsvg2-bin': 'rsvg-convert',
    'zbar-tools': 'zbarimg',
  },
  'to test the scripts on the volumes': {
    busybox: 'busybox',
    dash: 'dash',
    'original-awk': 'original-awk',
    shellcheck: 'shellcheck',
    // RESTORE.sh puts extended attributes back with it.
    attr: 'setfattr',
  },
  'to test completion in other shells, and man pages': {
    zsh: 'zsh',
    fish: 'fish',
    'groff-base': 'groff',
    mandoc: 'mandoc',
  },
  'to test with real file systems and other readers of disk images': {
    'btrfs-progs': 'mkfs.btrfs',
    xfsprogs: 'mkfs.xfs',
    exfatprogs: 'mkfs.exfat',
    'exfat-fuse': 'mount.exfat-fuse',
    'ntfs-3g': 'mkfs.ntfs',
    bindfs: 'bindfs',
    e2fsprogs: 'mkfs.ext4',
    'libarchive-tools': 'bsdtar',
    udftools: 'udfinfo',
    'grub-common': 'grub-fstest',
    'libudfread-dev': '/usr/include/udfread/udfread.h',
    dmg2img: 'dmg2img',
    'qemu-utils': 'qemu-img',
    // libmodi's module for Python is built from source.
    'python3-venv': '/usr/share/python-wheels',
    'python3-dev': 'python3-config',
  },
}

/** What is for other systems needs these besides what compiles here. */
const OTHER_SYSTEMS = {
  prebuild: {
    'to compile the native addon for other systems': {
      make: 'make',
      perl: 'perl',
      'dpkg-dev': 'dpkg-source',
      'debian-archive-keyring': '/usr/share/keyrings/debian-archive-keyring.gpg',
      'python3-pip': 'pip3',
      'g++-mingw-w64-x86-64-posix': 'x86_64-w64-mingw32-g++-posix',
    },
  },
  'test:arm': {
    'to run the command line for ARM': {
      'qemu-user-static': 'qemu-aarch64-static',
      'libc6-arm64-cross': '/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1',
      'libstdc++6-arm64-cross': '/usr/aarch64-linux-gnu/lib/libstdc++.so.6',
      'libgcc-s1-arm64-cross': '/usr/aarch64-linux-gnu/lib/libgcc_s.so.1',
    },
  },
  'test:spark': {
    'to count fingerprints on Spark': {
      'openjdk-17-jre-headless|openjdk-21-jre-headless': 'java',
      'python3-venv': '/usr/share/python-wheels',
    },
  },
  'test:windows': {
    'to run the Windows command line': {
      wine: 'wine',
      wine64: '/usr/lib/wine/wine64',
      'g++-mingw-w64-x86-64-posix': 'x86_64-w64-mingw32-g++-posix',
    },
  },
}

/**
 * The installation of what the operating system lacks for a goal, or null. Where apt may be used (as root, or with a sudo
 * that asks for no password) `install` uses it, else the lines name what to install. It never throws for a package that
 * cannot be had: the step that needs it then fails with its own line.
 */
export function osPackages(runner, goal, { display, compiles }) {
  if (process.platform !== 'linux') return compiles ? toolchainElsewhere() : null
  const first = compiles || goal === 'test' ? 0 : 1
  const wanted = Object.entries(GROUPS).slice(first, groupCount(goal, display))
  const groups = [...wanted, ...Object.entries(OTHER_SYSTEMS[goal] ?? {})]
    .map(([reason, packages]) => ({ reason, missing: Object.entries(packages).filter(isMissing) }))
    .filter(({ missing }) => missing.length > 0)
  if (groups.length === 0) return null
  const asRoot = findCommand('apt-get') === null ? null : rootPrefix()
  const how = `${asRoot === null ? 'please run as root:' : 'will run'} apt-get install`
  return {
    announced: groups.map(({ reason, missing }) => `${how} ${firstNames(missing)}, ${reason}`),
    async install() {
      if (asRoot === null) return
      const all = groups.flatMap(({ missing }) => missing)
      await runner.step('OS packages installed', () => installAll(runner, asRoot, all))
      const left = all.filter(isMissing)
      if (left.length > 0)
        runner.say(`  apt could not install: ${firstNames(left)} (log: .cache/logs/apt-install.log)`)
    },
  }
}

/** How many of the groups, from the first, a goal needs. Without a display `start` works in the terminal. */
function groupCount(goal, display) {
  if (goal === 'test') return Object.keys(GROUPS).length
  if (goal === 'cli' || goal in OTHER_SYSTEMS) return 1
  if (goal === 'package') return 3
  return display ? 2 : 1
}

async function installAll(runner, asRoot, packages) {
  const install = () =>
    aptGet(runner, asRoot, ['install', '-y', '--no-install-recommends', ...offered(packages)])
  if (offered(packages).length < packages.length) await aptGet(runner, asRoot, ['update'])
  if (await install()) return
  // Lists may be older than the archive: its files are then gone under their old versions.
  if (await aptGet(runner, asRoot, ['update'])) await install()
}

/** Runs apt-get without questions, waiting up to three minutes for another user of the package database. */
async function aptGet(runner, asRoot, argv) {
  const plain = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=180']
  const [program, ...rest] = [...asRoot, ...plain, ...argv]
  try {
    await runner.command(`apt-${argv[0]}`, program, rest, { what: `apt-get ${argv[0]}` })
    return true
  } catch (error) {
    runner.say(`  ${error.message}`)
    return false
  }
}

/** Of each package the first name for which apt has a version to install; packages that it does not have are left out. */
function offered(packages) {
  const env = { ...process.env, LC_ALL: 'C' }
  const names = packages.map(([alternatives]) => alternatives.split('|'))
  const policy = spawnSync('apt-cache', ['policy', ...names.flat()], { encoding: 'utf8', env }).stdout ?? ''
  const known = new Set(
    [...policy.matchAll(/^(\S+):\n.*\n {2}Candidate: (?!\(none\))/gm)].map(([, name]) => name),
  )
  return names.map((alternatives) => alternatives.find((name) => known.has(name))).filter(Boolean)
}

function firstNames(packages) {
  return packages.map(([alternatives]) => alternatives.split('|')[0]).join(' ')
}

/** How to become root: nothing to add, sudo without a password, or not at all (null). */
function rootPrefix() {
  if (process.getuid?.() === 0) return []
  const sudo = findCommand('sudo')
  return sudo !== null && spawnSync(sudo, ['-n', 'true'], { stdio: 'ignore' }).status === 0
    ? [sudo, '-n']
    : null
}

function isMissing([, marker]) {
  if (marker.startsWith('/')) return !existsSync(marker)
  if (!marker.includes('.so')) return findCommand(marker) === null
  const known = spawnSync(findCommand('ldconfig') ?? 'ldconfig', ['-p'], { encoding: 'utf8' }).stdout
  return !known?.includes(`\t${marker} `)
}

/** Elsewhere than on Linux nothing is installed for the person; what the build needs is named. */
function toolchainElsewhere() {
  const missing = ['cmake', 'ninja'].filter((name) => findCommand(name) === null)
  if (missing.length === 0) return null
  const way =
    process.platform === 'darwin'
      ? 'brew install cmake ninja openssl@3 xz (and xcode-select --install)'
      : 'winget install Kitware.CMake Ninja-build.Ninja'
  return { announced: [`please run ${way}, to compile the native addon`], install: async () => {} }
}
