import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findCommand, ROOT } from './paths.mjs'
import { StepFailure } from './stepFailure.mjs'

const FOLDER = join(ROOT, '.cache', 'python')
/** libmodi reads Apple's disk images and shares nothing with our readers. Its module is built from source by pip. */
const PACKAGE = 'libmodi-python==20260902'
const MARK = join(FOLDER, PACKAGE)

/** Puts the foreign readers that come as Python packages into a folder of their own. Tests that need them say so when they
 * are not there, so a failure here only tells. */
export async function ensurePythonReaders(runner) {
  if (existsSync(MARK)) return
  const python = findCommand('python3')
  if (python === null) return
  try {
    await runner.step(`Python reader installed: ${PACKAGE}`, async () => {
      await runner.command('python-venv', python, ['-m', 'venv', '--clear', FOLDER], {
        what: 'python3 -m venv',
      })
      const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', PACKAGE]
      await runner.command('python-pip', join(FOLDER, 'bin', 'python'), pip, { what: 'pip install' })
      await runner.command('python-mark', findCommand('touch'), [MARK], { what: 'touch' })
    })
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    runner.say(`  ${error.message}`)
  }
}
