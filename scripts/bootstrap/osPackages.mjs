import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { findCommand } from './paths.mjs'

/**
 * What a goal needs of the operating system. `package` is Debian's name, later names of the same thing after it;
 * one of `command`, `library`, `file` or `fonts` says how to see, without starting anything, that it is there.
 */
const BUILDING = [
  { package: ['cmake'], command: 'cmake' },
  { package: ['ninja-build'], command: 'ninja' },
  { package: ['g++'], command: 'g++' },
  // Hashes and encryption: linked in statically, so that they are the same in every Node and Electron.
  { package: ['libssl-dev'], file: '/usr/include/openssl/evp.h' },
  // Compressed images; the same way.
  { package: ['zlib1g-dev'], file: '/usr/include/zlib.h' },
]
const MAKING_IMAGES = [{ package: ['xorriso'], command: 'xorriso' }]
/** The shared libraries that Electron links to and a bare system lacks; they bring the others with them. */
const SHOWING_A_WINDOW = [
  { package: ['libgtk-3-0', 'libgtk-3-0t64'], library: 'libgtk-3.so.0' },
  { package: ['libnss3'], library: 'libnss3.so' },
  { package: ['libasound2', 'libasound2t64'], library: 'libasound.so.2' },
  { package: ['libgbm1'], library: 'libgbm.so.1' },
  { package: ['fonts-dejavu-core'], fonts: '/usr/share/fonts' },
  { package: ['python3-pip'], command: 'pip3' },
]
const TESTING = [
  { package: ['libgtest-dev'], file: '/usr/include/gtest/gtest.h' },
  { package: ['clang-14'], command: 'clang-14' },
  { package: ['clang-tidy-14'], command: 'clang-tidy-14' },
  { package: ['clang-format-14'], command: 'clang-format-14' },
  { package: ['libclang-rt-14-dev'], file: '/usr/lib/llvm-14/lib/clang' },
  { package: ['xvfb'], command: 'Xvfb' },
  { package: ['xauth'], command: 'xauth' },
  { package: ['chromium'], command: 'chromium' },
  { package: ['genisoimage'], command: 'genisoimage' },
  { package: ['dvd+rw-tools'], command: 'growisofs' },
  { package: ['restic'], command: 'restic' },
  // Options are built for real, to be compared with their forecasts.
  { package: ['borgbackup'], command: 'borg' },
  { package: ['squashfs-tools'], command: 'mksquashfs' },
  { package: ['zstd'], command: 'zstd' },
  { package: ['lz4'], command: 'lz4' },
  // File systems that share extents, made in files: what the survey says of clones is tested on real ones.
  { package: ['btrfs-progs'], command: 'mkfs.btrfs' },
  { package: ['xfsprogs'], command: 'mkfs.xfs' },
  // Foreign readers of disk images, and file systems to put into them.
  { package: ['dmg2img'], command: 'dmg2img' },
  { package: ['qemu-utils'], command: 'qemu-img' },
  { package: ['exfatprogs'], command: 'mkfs.exfat' },
  { package: ['e2fsprogs'], command: 'mkfs.ext4' },
  // libmodi's module for Python is built from source.
  { package: ['python3-venv'], file: '/usr/share/doc/python3-venv' },
  { package: ['python3-dev'], file: '/usr/share/doc/python3-dev' },
]

/** Goals by name: `start` with a display opens the window, without one it does its work in the terminal. */
export function neededPackages(goal, { display }) {
  if (goal === 'cli') return BUILDING
  if (goal === 'start') return [...BUILDING, ...MAKING_IMAGES, ...(display ? SHOWING_A_WINDOW : [])]
  return [...BUILDING, ...MAKING_IMAGES, ...SHOWING_A_WINDOW, ...TESTING]
}

/**
 * Installs what is missing where apt may be used (as root, or with sudo that asks for no password), else says in one line
 * what to install. Never throws for a package that could not be had: the step that needs it fails with its own line.
 */
export async function ensureOsPackages(runner, goal, { display }) {
  if (process.platform !== 'linux') {
    sayToolchain(runner)
    return
  }
  const missing = neededPackages(goal, { display }).filter((need) => !isPresent(need))
  if (missing.length === 0) return
  const plainCommand = `apt-get install ${missing.map((need) => need.package[0]).join(' ')}`
  const asRoot = rootPrefix()
  if (findCommand('apt-get') === null) {
    runner.say(
      `  missing here, please install (Debian's names): ${missing.map((need) => need.package[0]).join(' ')}`,
    )
    return
  }
  if (asRoot === null) {
    runner.say(`  OS packages are missing; as root run: ${plainCommand}`)
    return
  }
  await runner.step(
    `OS packages installed: ${missing.map((need) => need.package[0]).join(' ')}`,
    async () => {
      if (names(missing).some((candidates) => offered(candidates) === null))
        await aptGet(runner, asRoot, ['update'])
      if (!(await installed(runner, asRoot, missing))) {
        // An installation that was cut off leaves dpkg half-way; this finishes it and does nothing otherwise.
        await runner
          .command(
            'dpkg-configure',
            [...asRoot, 'dpkg'][0],
            [...asRoot, 'dpkg', '--configure', '-a'].slice(1),
          )
          .catch(() => {})
        // Lists may be older than the archive: its files are then gone under their old versions.
        await aptGet(runner, asRoot, ['update'])
        await installed(runner, asRoot, missing)
      }
    },
  )
  const stillMissing = missing.filter((need) => !isPresent(need))
  if (stillMissing.length > 0) {
    runner.say(
      `  not to be had through apt (log: .cache/logs/apt-install.log): ${stillMissing.map((need) => need.package[0]).join(' ')}`,
    )
  }
}

async function installed(runner, asRoot, missing) {
  const wanted = names(missing)
    .map((candidates) => offered(candidates))
    .filter((name) => name !== null)
  if (wanted.length === 0) return true
  return aptGet(runner, asRoot, ['install', '-y', '--no-install-recommends', ...wanted])
}

/** Runs apt-get without questions, waiting up to three minutes for another user of the package database. */
async function aptGet(runner, asRoot, argv) {
  const options = ['-q', '-o', 'DPkg::Lock::Timeout=180']
  const [program, ...rest] = [
    ...asRoot,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    ...options,
    ...argv,
  ]
  try {
    await runner.command(`apt-${argv[0]}`, program, rest, { what: `apt-get ${argv[0]}` })
    return true
  } catch (error) {
    runner.say(`  ${error.message}`)
    return false
  }
}

/** The first of the names for which apt has a version to install, or null. */
function offered(candidates) {
  const answer = spawnSync('apt-cache', ['policy', ...candidates], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
  const withVersion = new Set()
  let current = ''
  for (const line of (answer.stdout ?? '').split('\n')) {
    if (/^\S.*:$/.test(line)) current = line.slice(0, -1)
    else if (/^ {2}Candidate: (?!\(none\))/.test(line)) withVersion.add(current)
  }
  return candidates.find((name) => withVersion.has(name)) ?? null
}

function names(needs) {
  return needs.map((need) => need.package)
}

/** How to become root: nothing to add, sudo without a password, or not at all (null). */
function rootPrefix() {
  if (process.getuid?.() === 0) return []
  const sudo = findCommand('sudo')
  return sudo !== null && spawnSync(sudo, ['-n', 'true'], { stdio: 'ignore' }).status === 0
    ? [sudo, '-n']
    : null
}

function isPresent(need) {
  if (need.command) return findCommand(need.command) !== null
  if (need.file) return statSync(need.file, { throwIfNoEntry: false }) !== undefined
  if (need.fonts) return readdir(need.fonts).length > 0
  return libraryFolders().some(
    (folder) => statSync(`${folder}/${need.library}`, { throwIfNoEntry: false }) !== undefined,
  )
}

/** Where the dynamic linker looks: the folders named in its configuration and its two built-in ones. */
function libraryFolders() {
  const folders = ['/lib', '/usr/lib', '/lib64', '/usr/lib64']
  for (const name of readdir('/etc/ld.so.conf.d')) {
    for (const line of readText(`/etc/ld.so.conf.d/${name}`).split('\n'))
      if (line.startsWith('/')) folders.push(line.trim())
  }
  return folders
}

function readdir(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Elsewhere than on Linux nothing is installed for the person; what the build needs is named once. */
function sayToolchain(runner) {
  const missing = ['cmake', 'ninja'].filter((name) => findCommand(name) === null)
  if (missing.length === 0) return
  const way =
    process.platform === 'darwin'
      ? 'brew install cmake ninja openssl@3 (and xcode-select --install)'
      : 'winget install Kitware.CMake Ninja-build.Ninja'
  runner.say(`  ${missing.join(' and ')} missing; run: ${way}`)
}
