import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE } from '../bootstrap/paths.mjs'
import { StepFailure } from '../bootstrap/stepRunner.mjs'

const FOLDER = join(CACHE, 'debian')
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
/**
 * Debian 12's archive, read with lists and a state of our own, so that apt checks every signature and the system's packages stay as they
 * are. The lists are fetched once for each object.
 */
export class DebianArchive {
  #runner
  #isListed = false

  constructor(runner) {
    this.#runner = runner
  }

  /**
   * Unpacks binary packages of an architecture into one folder.
   * @returns {Promise<string[]>} names with versions
   */
  async unpack(architecture, packages, into) {
    await this.#list()
    const debs = this.#empty(`debs-${architecture}`)
    await this.#apt(['download', ...packages.map((name) => `${name}:${architecture}`)], debs)
    const found = filesEnding('.deb', debs)
    for (const deb of found)
      await this.#runner.command('dpkg-deb', 'dpkg-deb', ['-x', join(debs, deb), into], { append: true })
    return found.map((deb) => decodeURIComponent(deb.replace(/_[^_]*\.deb$/, '')))
  }

  /**
   * The newest version of a source package that can be downloaded, unpacked with Debian's patches.
   * @returns {Promise<{ folder: string, version: string }>}
   */
  async source(name) {
    await this.#list()
    const known = spawnSync('apt-cache', [...this.#options(), 'showsrc', '--only-source', name], {
      encoding: 'utf8',
    })
    const versions = [...(known.stdout ?? '').matchAll(/^Version: (\S+)$/gm)].map(([, version]) => version)
    versions.sort((a, b) => (isNewer(a, b) ? -1 : 1))
    let reason = 'Debian lists no such source package'
    for (const version of versions) {
      const folder = join(FOLDER, 'sources', `${name}-${version}`)
      if (existsSync(folder)) return { folder, version }
      try {
        const files = this.#empty(`source-${name}`)
        await this.#apt(['source', '--download-only', `${name}=${version}`], files)
        const [description] = filesEnding('.dsc', files)
        mkdirSync(join(FOLDER, 'sources'), { recursive: true })
        rmSync(`${folder}.partial`, { recursive: true, force: true })
        // apt has checked the description's digest against the signed lists.
        const argv = ['--no-check', '-x', join(files, description), `${folder}.partial`]
        await this.#runner.command(`dpkg-source-${name}`, 'dpkg-source', argv)
        renameSync(`${folder}.partial`, folder)
        return { folder, version }
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error
        reason = error.message
        this.#runner.say(`  ${name} ${version}: ${reason}`)
      }
    }
    throw new StepFailure(`no source of ${name}: ${reason}`)
  }

  async #list() {
    if (this.#isListed) return
    if (!existsSync(KEYRING)) throw new StepFailure(`Debian's keys are missing: ${KEYRING}`)
    for (const folder of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(FOLDER, folder), { recursive: true })
    writeFileSync(join(FOLDER, 'debian.sources'), sources())
    writeFileSync(join(FOLDER, 'status'), '')
    await this.#apt(['update'], FOLDER)
    this.#isListed = true
  }

  async #apt(argv, cwd) {
    const log = `debian-${argv[0]}`
    await this.#runner.command(log, 'apt-get', ['-q', ...this.#options(), ...argv], { cwd })
  }

  #options() {
    const settings = {
      'Dir::State': FOLDER,
      'Dir::State::Lists': join(FOLDER, 'lists'),
      'Dir::State::status': join(FOLDER, 'status'),
      'Dir::Cache': join(FOLDER, 'cache'),
      'Dir::Etc::sourcelist': join(FOLDER, 'debian.sources'),
      'Dir::Etc::sourceparts': '-',
      'APT::Architecture': 'amd64',
      'APT::Architectures': 'amd64,arm64',
      'Acquire::Languages': 'none',
    }
    return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  }

  #empty(name) {
    const folder = join(FOLDER, name)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    return folder
  }
}

/**
 * The places from which this system gets Debian 12, for sources and other architectures too.
 * @throws StepFailure if it gets none.
 */
function sources() {
  const argv = [
    'indextargets',
    '--format',
    '$(REPO_URI) $(RELEASE)',
    'Created-By: Packages',
    'Component: main',
  ]
  const listed = spawnSync('apt-get', argv, { encoding: 'utf8' }).stdout ?? ''
  const places = new Set(listed.split('\n').filter((line) => / bookworm(-updates|-security)?$/.test(line)))
  if (places.size === 0) throw new StepFailure('apt of this system has no lists of Debian 12 (bookworm)')
  return [...places]
    .map((place) => {
      const [uri, suite] = place.split(' ')
      return `Types: deb deb-src\nURIs: ${uri}\nSuites: ${suite}\nComponents: main\nSigned-By: ${KEYRING}\n`
    })
    .join('\n')
}

function filesEnding(ending, folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .toSorted()
}

function isNewer(a, b) {
  return spawnSync('dpkg', ['--compare-versions', a, 'gt', b]).status === 0
}
