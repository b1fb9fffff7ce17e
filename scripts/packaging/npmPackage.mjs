import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, findCommand, ROOT } from '../bootstrap/paths.mjs'
import { must, run } from '../electronRuntime.mjs'

/**
 * The folder of an npm package: where npm installed it, else fetched from the registry, for packages
 * of other systems than this one are not installed.
 * @throws Error that names the package, when the registry does not have it
 */
export function npmPackage(name, version) {
  const installed = join(ROOT, 'node_modules', name)
  if (existsSync(join(installed, 'package.json')) && versionOf(installed) === version) return installed
  const place = join(CACHE, 'packages', 'npm', `${name.replace('/', '+')}-${version}`)
  if (existsSync(place)) return place
  const work = `${place}.making`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  // npm compares what it fetches with the registry's own checksum.
  const argv = ['pack', `${name}@${version}`, '--json', '--loglevel=error', `--pack-destination=${work}`]
  const npm = findCommand('npm') ?? 'npm'
  const packed = run(npm, argv, { cwd: work, shell: process.platform === 'win32' })
  must(packed, `cannot fetch the npm package ${name}@${version}`)
  const answer = JSON.parse(packed.stdout)
  const file = (Array.isArray(answer) ? answer : Object.values(answer))[0].filename
  must(run('tar', ['-xzf', file.replace('@', '').replace('/', '-')], { cwd: work }), `cannot unpack ${file}`)
  renameSync(join(work, 'package'), place)
  rmSync(work, { recursive: true, force: true })
  return place
}

/** The version of the package in a folder. */
function versionOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
}
