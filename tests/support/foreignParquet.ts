import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Apache's own reader of Parquet, as another judge of what we write. */

const PYTHON = join(process.cwd(), '.cache/python/bin/python')

/** Why pyarrow cannot be asked here, or null. */
export function pyarrowMissing(): string | null {
  if (!existsSync(PYTHON)) return 'pyarrow is not installed in .cache/python'
  try {
    execFileSync(PYTHON, ['-c', 'import pyarrow.parquet'], { stdio: 'ignore' })
    return null
  } catch {
    return 'pyarrow does not load'
  }
}

export interface ReadPart {
  readonly rows: number
  readonly types: readonly string[]
  readonly isNullable: boolean
  readonly nulls: number
  /** By hash and file. */
  readonly isSorted: boolean
  /** All hashes lie below the threshold that the footer states. */
  readonly isRightShare: boolean
  readonly uniqueHashes: number
  readonly uniqueBytes: number
  readonly footer: {
    readonly table: string
    readonly scheme?: { readonly name: string; readonly shift: number }
    readonly draws?: readonly { readonly uniqueBytes: number; readonly exact: boolean }[]
  }
}

const SCRIPT = `
import json, sys
import pyarrow.parquet as pq
found = {}
for path in json.load(sys.stdin):
    part = pq.ParquetFile(path)
    table = part.read()
    footer = json.loads(next(value for key, value in part.schema_arrow.metadata.items() if key.startswith(b'stowage.')))
    one = {
        'rows': table.num_rows,
        'types': sorted({str(field.type) for field in table.schema}),
        'isNullable': any(field.nullable for field in table.schema),
        'nulls': sum(column.null_count for column in table.columns),
        'footer': footer,
        'isSorted': True, 'isRightShare': True, 'uniqueHashes': 0, 'uniqueBytes': 0,
    }
    if 'hash' in table.schema.names:
        hashes, sizes, files = (table[name].to_pylist() for name in ('hash', 'bytes', 'file'))
        keys = list(zip(hashes, files))
        unique = dict(zip(hashes, sizes))
        shift = footer.get('scheme', footer)['shift']
        one['isSorted'] = keys == sorted(set(keys))
        one['isRightShare'] = all(value < -2**63 + 2**(64 - shift) for value in hashes)
        one['uniqueHashes'] = len(unique)
        one['uniqueBytes'] = sum(unique.values())
    found[path] = one
json.dump(found, sys.stdout)
`

export async function readByPyarrow(paths: readonly string[]): Promise<Readonly<Record<string, ReadPart>>> {
  const running = promisify(execFile)(PYTHON, ['-c', SCRIPT], { maxBuffer: 64 * 1024 * 1024 })
  running.child.stdin?.end(JSON.stringify(paths))
  return JSON.parse((await running).stdout)
}
