import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmProgram } from './nodePackages.mjs'
import { CACHE, ROOT } from './paths.mjs'
import { StepFailure } from './stepRunner.mjs'

/** Tests name it by STOWAGE_DUCKDB. */
const FOLDER = join(CACHE, 'duckdb')
const LOCK = join(ROOT, 'fleet/package-lock.json')
const MARK = join(FOLDER, 'installed')

/**
 * The installation of DuckDB, which `stowage fleet` installs apart, for tests into a folder of their own; null when it is
 * there. Tests that need it report when it is not, so its failure is printed and not thrown.
 */
export function duckdb(runner) {
  const lock = readFileSync(LOCK, 'utf8')
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === lock) return null
  return {
    announced: ['will run npm ci in .cache/duckdb, to compare fingerprints in tests (75 MB)'],
    async install() {
      try {
        await runner.step('DuckDB installed', async () => {
          rmSync(FOLDER, { recursive: true, force: true })
          mkdirSync(FOLDER, { recursive: true })
          for (const name of ['package.json', 'package-lock.json'])
            copyFileSync(join(ROOT, 'fleet', name), join(FOLDER, name))
          const [program, ...argv] = npmProgram()
          const args = [...argv, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
          await runner.command('duckdb', program, args, { cwd: FOLDER, what: 'npm ci' })
        })
        writeFileSync(MARK, lock)
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error
        runner.say(`  ${error.message}`)
      }
    },
  }
}
