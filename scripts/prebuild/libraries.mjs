import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { CACHE, findCommand, ROOT } from '../bootstrap/paths.mjs'
import { librariesOf, TARGETS, toolsOf } from './targets.mjs'

/** Raised when what is built changes, so that older libraries are made anew. */
const RECIPE = 2

/** Debian's packages with the static archives and headers. */
const PACKAGES = ['libssl-dev', 'zlib1g-dev', 'liblzma-dev']

/**
 * OpenSSL's configuration without everything that the addon does not call: it hashes (SHA-1, SHA-256), encrypts (AES and triple DES in
 * CBC, AES in ECB), derives keys (HMAC, PBKDF2) and draws random bytes.
 */
const LEFT_OUT = [
  'shared tests dso module engine legacy sock dgram ssl dtls tls comp cms ct ocsp ts srp srtp psk',
  'ui-console err autoload-config aria bf blake2 camellia cast chacha poly1305 cmac cmp dh dsa ec gost',
  'idea md4 mdc2 ocb rc2 rc4 rmd160 scrypt seed siphash siv sm2 sm3 sm4 whirlpool rfc3779 multiblock',
  'nextprotoneg async',
]
  .flatMap((line) => line.split(' '))
  .map((name) => `no-${name}`)

/** Names that are hidden in the library are not exported by the addon either. */
const HIDDEN = ['-fvisibility=hidden']

/**
 * Brings the static libraries of a target into the cache: libcrypto, zlib and liblzma with their headers. Made once for each recipe.
 * @throws StepFailure naming the library that cannot be had and why.
 */
export async function ensureLibraries(runner, debian, target) {
  const folder = librariesOf(target)
  if (recipeOf(folder) === RECIPE) return
  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  const { debian: architecture } = TARGETS[target]
  await runner.step(`libraries of ${target}`, async () => {
    const versions =
      architecture === undefined
        ? await build(runner, debian, target, partial)
        : await unpack(debian, architecture, partial)
    writeFileSync(
      join(partial, 'versions.json'),
      `${JSON.stringify({ recipe: RECIPE, versions }, null, 2)}\n`,
    )
  })
  rmSync(folder, { recursive: true, force: true })
  renameSync(partial, folder)
}

function recipeOf(folder) {
  const file = join(folder, 'versions.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).recipe : null
}

/** Debian's own archives, without the names of its folders. */
async function unpack(debian, architecture, into) {
  const root = join(into, 'packages')
  const versions = await debian.unpack(architecture, PACKAGES, root)
  const folder = { amd64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[architecture]
  for (const name of ['libcrypto.a', 'libz.a', 'liblzma.a'])
    cpSync(join(root, 'usr/lib', folder, name), join(into, 'lib', name))
  cpSync(join(root, 'usr/include'), join(into, 'include'), { recursive: true })
  cpSync(join(root, 'usr/include', folder), join(into, 'include'), { recursive: true })
  rmSync(root, { recursive: true })
  return versions
}

async function build(runner, debian, target, into) {
  const sources = {}
  for (const name of ['openssl', 'zlib', 'xz-utils']) sources[name] = await debian.source(name)
  const work = join(CACHE, 'libraries', `${target}.build`)
  rmSync(work, { recursive: true, force: true })
  await buildWithCMake(runner, target, work, sources, into)
  await buildOpenSsl(runner, target, join(work, 'openssl'), sources.openssl.folder, into)
  rmSync(work, { recursive: true })
  return Object.entries(sources).map(([name, { version }]) => `${name} ${version}`)
}

/** zlib and liblzma, by the toolchain file that the addon is built with. */
async function buildWithCMake(runner, target, work, sources, into) {
  const log = { what: `zlib and liblzma for ${target}`, append: true }
  const cmake = findCommand('cmake') ?? 'cmake'
  const toolchain = join(ROOT, 'native/toolchains', `${target}.cmake`)
  const argv = [
    ['-S', join(ROOT, 'native/libraries'), '-B', work, '-G', 'Ninja'],
    ['-DCMAKE_BUILD_TYPE=Release', `-DCMAKE_TOOLCHAIN_FILE=${toolchain}`, `-DCMAKE_INSTALL_PREFIX=${into}`],
    [`-DZLIB=${sources.zlib.folder}`, `-DXZ=${sources['xz-utils'].folder}`],
  ]
  const name = `libraries-${target}`
  await runner.command(name, cmake, argv.flat(), { ...log, append: false })
  await runner.command(name, cmake, ['--build', work, '--target', 'install'], log)
}

async function buildOpenSsl(runner, target, work, source, into) {
  const { openssl } = TARGETS[target]
  const { cc, ar, ranlib } = toolsOf(TARGETS[target])
  const options = { cwd: work, what: `libcrypto for ${target}` }
  mkdirSync(work, { recursive: true })
  const log = `libcrypto-${target}`
  const programs = [`CC=${cc}`, `AR=${ar}`, `RANLIB=${ranlib}`]
  const configure = ['perl', join(source, 'Configure'), openssl, ...LEFT_OUT, ...HIDDEN]
  await runner.command(log, 'env', [...programs, ...configure], options)
  // Each compiler makes for one processor only, and Zig's refuses to be told which.
  const wanted = ['CNF_CFLAGS=', `-j${cpus().length}`, 'build_generated', 'libcrypto.a']
  await runner.command(log, 'make', wanted, { ...options, append: true })
  cpSync(join(work, 'libcrypto.a'), join(into, 'lib', 'libcrypto.a'))
  for (const place of [join(source, 'include'), join(work, 'include')])
    cpSync(join(place, 'openssl'), join(into, 'include', 'openssl'), {
      recursive: true,
      filter: (path) => !path.endsWith('.in'),
    })
}
