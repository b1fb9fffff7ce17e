/**
 * The room `fleet` compares the fingerprints of many sources by SQL.
 * How: `duckdb` runs the database in a child process; `prints` defines the tables of one way of
 * cutting and one range of hashes; the shared text of `fleet/sql` asks, and sums are kept here.
 * Not here: reading and checking fingerprints (`src/engine/fingerprints`), ranges of sums
 * (`src/domain/fleet`).
 */

import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { lineSplitter } from '../files/read'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { runTool } from '../tools/runTool'
import type { DuckdbPlace } from './duckdbPlace'
// oxlint-disable-next-line import/default -- its text, not what it exports
import PROGRAM from './duckdbProgram.mjs?raw'

/** The kinds of values that are read back: whole numbers of any size, those below 2^31, text. */
interface Kinds {
  readonly whole: bigint
  readonly number: number
  readonly text: string
}
type Shape = Readonly<Record<string, keyof Kinds>>
type RowOf<S extends Shape> = { readonly [Name in keyof S]: Kinds[S[Name]] }

/** A database without tables of its own, which lives as long as its process. */
export interface Database {
  /**
   * Runs a statement whose rows are not wanted.
   * @throws AppError `no-space` where the memory is not enough; `tool-failed`, `cancelled`
   */
  run(sql: string): Promise<void>
  /**
   * The rows of a query, by the names of its columns.
   * @throws AppError as `run`
   */
  rows<const S extends Shape>(sql: string, shape: S): AsyncIterable<RowOf<S>>
}

/** The memory that a database may take. */
export interface Bounds {
  /** The whole process takes this much; its tables get less. */
  readonly memoryBytes: number
  readonly threads: number
}

/** Memory of the process that the limit of the database does not count: Node, and 20 % over. */
const NODE_BYTES = 80 * 1024 * 1024
const OVER_LIMIT = 1.2
const LEAST_LIMIT_BYTES = 64 * 1024 * 1024

/** The memory that tables and queries may take. */
export function tableBytes({ memoryBytes }: Bounds): number {
  return Math.max(LEAST_LIMIT_BYTES, Math.floor((memoryBytes - NODE_BYTES) / OVER_LIMIT))
}

interface Answer {
  readonly columns?: readonly string[]
  readonly rows?: readonly (readonly (string | number)[])[]
  readonly end?: true
  readonly error?: string
}

/**
 * Starts DuckDB in a process of its own, lends it, and ends it. It never writes to a disk: what
 * does not fit in its memory fails.
 * @throws AppError `tool-failed` where it does not start or ends by itself; `cancelled`; what
 *   `work` throws passes unchanged
 */
export async function withDuckdb<T>(
  place: DuckdbPlace,
  bounds: Bounds,
  signal: AbortSignal,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const asked = new Lines()
  const answers = new Lines()
  const ended = new AbortController()
  const options = {
    threads: String(bounds.threads),
    memory_limit: `${Math.floor(tableBytes(bounds) / 1e6)}MB`,
    temp_directory: '',
    preserve_insertion_order: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  }
  const lines = lineSplitter((line) => answers.push(line))
  const running = runTool(
    process.execPath,
    ['--input-type=module', '-e', PROGRAM, place.folder, JSON.stringify(options)],
    {
      signal: AbortSignal.any([signal, ended.signal]),
      env: { NODE_OPTIONS: undefined },
      input: asked.bytes(),
      onOutput: (chunk) => lines.push(chunk),
    },
  )
  let last = ''
  const over = running
    .then(({ errorLines }) => {
      last = errorLines.findLast((line) => /Error/.test(line)) ?? errorLines.at(-1) ?? ''
    })
    .catch((thrown: unknown) => {
      last = AppError.from(thrown).message
    })
    .finally(() => answers.close())
  const lost = (): AppError => {
    throwIfAborted(signal)
    return new AppError('tool-failed', said`DuckDB in ${place.folder} ended: ${last}`)
  }
  async function* rows<const S extends Shape>(sql: string, shape: S): AsyncIterable<RowOf<S>> {
    throwIfAborted(signal)
    asked.push(`${JSON.stringify({ sql })}\n`)
    let columns: readonly string[] = []
    for (;;) {
      const line = await answers.next()
      if (line === null) throw lost()
      const answer = JSON.parse(line) as Answer
      if (answer.columns) columns = answer.columns
      for (const row of answer.rows ?? []) yield typed(columns, row, shape)
      if (answer.error !== undefined) throw failureOf(answer.error)
      if (answer.end) return
    }
  }
  try {
    return await work({
      rows,
      async run(sql) {
        for await (const _ of rows(sql, {}));
      },
    })
  } finally {
    asked.close()
    ended.abort()
    await over
  }
}

function typed<S extends Shape>(
  columns: readonly string[],
  row: readonly (string | number)[],
  shape: S,
): RowOf<S> {
  const values = Object.entries(shape).map(([name, kind]) => {
    const value = row[columns.indexOf(name)]
    if (value === undefined || value === null)
      throw new AppError('internal', `DuckDB gave no ${name}, but ${columns.join(', ')}`)
    return [name, kind === 'whole' ? BigInt(value) : kind === 'number' ? Number(value) : String(value)]
  })
  return Object.fromEntries(values) as RowOf<S>
}

function failureOf(message: string): AppError {
  const [line = ''] = message.split('\n')
  if (/^Out of Memory/i.test(line)) return new AppError('no-space', said`DuckDB needs more memory: ${line}`)
  return new AppError('tool-failed', said`DuckDB failed: ${line}`)
}

/** How long a child that has ended may go unnoticed. */
const IDLE_MS = 100

/** Lines that one side brings and the other takes, in order. */
class Lines {
  readonly #kept: string[] = []
  #isClosed = false
  #wake: (() => void) | null = null

  push(line: string): void {
    this.#kept.push(line)
    this.#wake?.()
  }

  close(): void {
    this.#isClosed = true
    this.#wake?.()
  }

  /** Null once it is closed and all are taken. */
  async next(): Promise<string | null> {
    for (;;) {
      const line = this.#kept.shift()
      if (line !== undefined) return line
      if (this.#isClosed) return null
      await this.#waited()
    }
  }

  /** The lines as they come, and nothing now and then: whoever takes them sees if that is over. */
  async *bytes(): AsyncIterable<Uint8Array> {
    while (this.#kept.length > 0 || !this.#isClosed) {
      const line = this.#kept.shift()
      if (line === undefined) await Promise.race([this.#waited(), setTimeout(IDLE_MS)])
      yield Buffer.from(line ?? '')
    }
  }

  #waited(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
