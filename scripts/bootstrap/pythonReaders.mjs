import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCommand, ROOT } from './paths.mjs'
import { StepFailure } from './stepRunner.mjs'

const FOLDER = join(ROOT, '.cache', 'python')
/**
 * libmodi reads Apple's disk images and shares nothing with our readers; its module is built from source by pip. pyarrow
 * is Apache's own reader of Parquet.
 */
const PACKAGES = ['libmodi-python==20260902', 'pyarrow==26.0.1']
const MARK = join(FOLDER, PACKAGES.join(' '))

/**
 * The installation of the foreign readers that come as Python packages into a folder of their own, or null when they are
 * there. Tests that need them report when they are not, so its failure is printed and not thrown.
 */
export function pythonReaders(runner) {
  if (existsSync(MARK)) return null
  return {
    announced: [
      `will run pip install ${PACKAGES.join(' ')} in .cache/python, to check disk images and Parquet in tests`,
    ],
    async install() {
      const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input']
      try {
        await runner.step('Python readers installed', async () => {
          const python = findCommand('python3') ?? 'python3'
          await runner.command('python-venv', python, ['-m', 'venv', '--clear', FOLDER])
          // One by one: a reader that cannot be had here keeps no other away.
          for (const name of PACKAGES)
            await runner.command('python-pip', join(FOLDER, 'bin', 'python'), [...pip, name], {
              what: 'pip install',
            })
        })
        writeFileSync(MARK, '')
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error
        runner.say(`  ${error.message}`)
      }
    },
  }
}
