/** Writes `docs/guide/cli.md` from the declarations of the commands: `node scripts/writeCliPage.mjs`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const PROJECT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const PAGE = path.join(PROJECT, 'docs/guide/cli.md')

const { module } = await runnerImport(path.join(PROJECT, 'src/cli/cliPage.ts'), { configFile: false })
mkdirSync(path.dirname(PAGE), { recursive: true })
writeFileSync(PAGE, module.cliPage())
process.stdout.write(`${path.relative(PROJECT, PAGE)} written\n`)
