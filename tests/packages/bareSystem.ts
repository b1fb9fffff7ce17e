import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { PROJECT } from '../support/electron'
import { temporaryFolder } from '../support/temporaryFolder'

const run = promisify(execFile)
const RELEASE = 'bookworm'
const KEPT = path.join(PROJECT, '.cache/packages', `${RELEASE}.tar`)
const USER = 'joe'
/** What the machine says about where Debian's packages come from; a bare system takes the same. */
const APT = '/etc/apt/apt.conf.d'

/** A Debian of its own with nothing but the essential packages, in a folder. */
export interface BareSystem {
  /** The folder that is its root. */
  readonly root: string
  /** The home of its one user, seen from outside and from inside. */
  readonly home: { readonly outside: string; readonly inside: string }
  /** Runs a program as root inside. @throws Error when it fails */
  asRoot(...command: readonly string[]): Promise<string>
  /** Runs a program as its user inside. @throws Error when it fails */
  asUser(...command: readonly string[]): Promise<string>
  /** Starts a program as its user inside, which is ended with the test. */
  start(env: Readonly<Record<string, string>>, ...command: readonly string[]): void
  /** Every file outside of temporary and home folders, by its path inside. */
  files(): Promise<string[]>
}

/** Why no bare system can be made here, or null. */
export function whyNoBareSystem(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux can make a bare Debian'
  const programs = ['debootstrap', 'unshare', 'chroot']
  const missing = programs.filter(
    (name) => !['/usr/sbin', '/usr/bin'].some((folder) => existsSync(path.join(folder, name))),
  )
  return missing.length > 0 ? `${missing.join(', ')} is not installed` : null
}

/** Makes a bare system that is removed when the test ends. */
export async function bareSystem(): Promise<BareSystem> {
  const root = path.join(await temporaryFolder('/var/tmp'), 'root')
  await mkdir(root)
  if (!existsSync(KEPT)) await keepRelease(root)
  else await run('tar', ['-xpf', KEPT, '-C', root])
  for (const name of await readdir(APT))
    if (/registry|proxy/.test(name)) await copyFile(path.join(APT, name), path.join(root, APT, name))
  for (const file of ['/etc/resolv.conf', '/etc/hosts']) await copyFile(file, path.join(root, file))
  const inside = (
    user: string,
    env: Readonly<Record<string, string>>,
    command: readonly string[],
  ): string[] => [
    '--mount',
    '--propagation',
    'private',
    'sh',
    '-c',
    'for each in dev dev/shm; do mount --bind /$each "$0/$each"; done; mount -t proc proc "$0/proc"; exec "$@"',
    root,
    'chroot',
    `--userspec=${user}`,
    root,
    'env',
    '-i',
    `HOME=${user === 'root' ? '/root' : `/home/${user}`}`,
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    'LANG=C.UTF-8',
    'DEBIAN_FRONTEND=noninteractive',
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...command,
  ]
  const ran = async (user: string, command: readonly string[]): Promise<string> => {
    const { stdout } = await run('unshare', inside(user, {}, command), { maxBuffer: 1 << 26 })
    return stdout
  }
  await ran('root', ['useradd', '--create-home', USER])
  return {
    root,
    home: { outside: path.join(root, 'home', USER), inside: `/home/${USER}` },
    asRoot: (...command) => ran('root', command),
    asUser: (...command) => ran(USER, command),
    start(env, ...command) {
      const child = spawn('unshare', inside(USER, env, command), { stdio: 'ignore' })
      onTestFinished(() => void child.kill())
    },
    async files() {
      const skipped = [
        'proc',
        'sys',
        'dev',
        'tmp',
        'run',
        'home',
        'var/cache',
        'var/log',
        'var/lib/apt',
        'var/lib/dpkg',
      ]
      const prune = skipped.flatMap((folder) => ['-path', path.join(root, folder), '-prune', '-o'])
      const { stdout } = await run('find', [root, ...prune, '-printf', '/%P\\n'], { maxBuffer: 1 << 26 })
      return stdout
        .split('\n')
        .filter((file) => file !== '')
        .toSorted()
    },
  }
}

/** Fetches the release one time; later systems are unpacked from the copy. */
async function keepRelease(root: string): Promise<void> {
  await run('debootstrap', ['--variant=minbase', RELEASE, root], { maxBuffer: 1 << 26 })
  await mkdir(path.dirname(KEPT), { recursive: true })
  await run('tar', ['-cpf', `${KEPT}.making`, '-C', root, '.'])
  await rename(`${KEPT}.making`, KEPT)
  await rm(`${KEPT}.making`, { force: true })
}
