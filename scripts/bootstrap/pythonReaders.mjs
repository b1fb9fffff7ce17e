import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCommand, ROOT } from './paths.mjs'
import { StepFailure } from './stepRunner.mjs'

const FOLDER = join(ROOT, '.cache', 'python')
/** libmodi reads Apple's disk images and shares nothing with our readers. Its module is built from source by pip. */
const PACKAGE = 'libmodi-python==20260902'
const MARK = join(FOLDER, PACKAGE)

/**
 * The installation of the foreign readers that come as Python packages into a folder of their own, or null when they are
 * there. Tests that need them report when they are not, so its failure is printed and not thrown.
 */
export function pythonReaders(runner) {
  if (existsSync(MARK)) return null
  return {
    announced: [`will run pip install ${PACKAGE} in .cache/python, to check disk images in tests`],
    async install() {
      const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', PACKAGE]
      try {
        await runner.step('Python reader installed', async () => {
          const python = findCommand('python3') ?? 'python3'
          await runner.command('python-venv', python, ['-m', 'venv', '--clear', FOLDER])
          await runner.command('python-pip', join(FOLDER, 'bin', 'python'), pip, { what: 'pip install' })
        })
        writeFileSync(MARK, '')
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error
        runner.say(`  ${error.message}`)
      }
    },
  }
}
