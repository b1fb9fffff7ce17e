/** Writes `docs/guide/cli.md` from the declarations of the commands: `node scripts/writeCliPage.mjs`. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { runnerImport } from 'vite'

const PROJECT = path.resolve(import.meta.dirname, '..')
const PAGE = path.join(PROJECT, 'docs/guide/cli.md')

const { module } = await runnerImport(path.join(PROJECT, 'src/cli/cliPage.ts'), { configFile: false })
writeFileSync(PAGE, module.cliPage())
process.stdout.write(`${path.relative(PROJECT, PAGE)} written\n`)
