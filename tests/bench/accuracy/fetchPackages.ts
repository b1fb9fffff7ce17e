import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const QUIET: { stdio: ['ignore', 'ignore', 'inherit'] } = { stdio: ['ignore', 'ignore', 'inherit'] }

/** The tarball of one version of an npm package, by npm itself; kept in `store`. */
export function npmTarball(store: string, spec: string): string {
  return kept(store, `npm-${spec}`, (folder) =>
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, spec], QUIET),
  )
}

/** The wheel of one version of a Python package, by pip itself; kept in `store`. */
export function wheel(store: string, spec: string): string {
  return kept(store, `pip-${spec}`, (folder) =>
    execFileSync(
      'python3',
      ['-m', 'pip', 'download', '-q', '--no-deps', '--only-binary', ':all:', '-d', folder, spec],
      QUIET,
    ),
  )
}

/** One version of a Debian package, by apt itself; kept in `store`. */
export function debianPackage(store: string, spec: string): string {
  return kept(store, `deb-${spec}`, (folder) =>
    execFileSync('apt-get', ['download', '-qq', spec], { ...QUIET, cwd: folder }),
  )
}

/** Unpacks a tarball or a wheel into a folder, which is made if it is not there. */
export function unpack(archive: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (archive.endsWith('.tgz')) execFileSync('tar', ['xzf', archive, '-C', folder, '--no-same-owner'], QUIET)
  else execFileSync('python3', ['-m', 'zipfile', '-e', archive, folder], QUIET)
}

/** The only file that `fetch` puts into the folder it is given, from an earlier time if there was one. */
function kept(store: string, name: string, fetch: (folder: string) => void): string {
  const folder = join(store, name.replaceAll('/', '+'))
  if (!existsSync(folder)) {
    mkdirSync(store, { recursive: true })
    const fresh = mkdtempSync(join(store, 'fetching-'))
    try {
      fetch(fresh)
      renameSync(fresh, folder)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  const [file] = readdirSync(folder)
  if (file === undefined) throw new Error(`nothing was fetched for ${name}`)
  return join(folder, file)
}
