/**
 * Writes the man pages from the declarations of the commands into a folder:
 * `node scripts/writeManPages.mjs FOLDER [DATE]`. They are compressed, as packages install them.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { runnerImport } from 'vite'

const PROJECT = path.resolve(import.meta.dirname, '..')
const [folder = path.join(PROJECT, 'dist/man1'), date = new Date().toISOString().slice(0, 10)] =
  process.argv.slice(2)

const { module } = await runnerImport(path.join(PROJECT, 'src/cli/manPages.ts'), { configFile: false })
mkdirSync(folder, { recursive: true })
const pages = [...module.manPages(date)]
for (const [name, text] of pages) writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text, { level: 9 }))
process.stdout.write(`${pages.length} man pages written to ${folder}\n`)
