/**
 * The child process in which DuckDB runs: `node --input-type=module -e THIS PACKAGE OPTIONS`.
 * Each line of its input is `{"sql": …}`. It answers `{"columns": […]}`, any number of
 * `{"rows": […]}`, and `{"end": true}` or `{"error": …}`. Whole numbers above 32 bits are text. It
 * ends with its input.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [folder, options] = process.argv.slice(1)
const say = (answer) =>
  new Promise((resolve) => {
    if (process.stdout.write(`${JSON.stringify(answer)}\n`)) resolve()
    else process.stdout.once('drain', resolve)
  })

const { DuckDBInstance } = createRequire(pathToFileURL(join(folder, 'package.json')))('@duckdb/node-api')
const instance = await DuckDBInstance.create(':memory:', JSON.parse(options))
const connection = await instance.connect()
for await (const line of createInterface({ input: process.stdin })) {
  try {
    const result = await connection.stream(JSON.parse(line).sql)
    await say({ columns: result.columnNames() })
    for await (const rows of result.yieldRowsJson()) await say({ rows })
    await say({ end: true })
  } catch (error) {
    await say({ error: String(error instanceof Error ? error.message : error) })
  }
}
