import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, findCommand } from './paths.mjs'

const FOLDER = join(CACHE, 'spark')
/** Spark itself, which PySpark brings (460 MB), and a store that speaks S3. */
const PACKAGES = ['pyspark==4.1.4', 'moto[server]==5.2.5']
const MARK = join(FOLDER, PACKAGES.join(' '))

/** The installation of Spark for tests into a folder of its own; null when it is there. */
export function sparkTools(runner) {
  if (existsSync(MARK)) return null
  return {
    announced: [`will run pip install ${PACKAGES.join(' ')} in .cache/spark, to count on Spark (810 MB)`],
    install: () =>
      runner.step('Spark installed', async () => {
        const python = findCommand('python3') ?? 'python3'
        await runner.command('spark-venv', python, ['-m', 'venv', '--clear', FOLDER])
        const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input']
        await runner.command('spark-pip', join(FOLDER, 'bin', 'python'), [...pip, ...PACKAGES], {
          what: 'pip install',
        })
        writeFileSync(MARK, '')
      }),
  }
}
