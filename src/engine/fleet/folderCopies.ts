import { type AlikeFolder, type CopiedFolders, copiesOf } from '../../domain/fleet/copiedFolders'
import type { CheckedFingerprints } from '../fingerprints/checkFingerprints'
import type { Database } from './duckdb'
import { depthOf, filesOf, requirePaths } from './sourceFiles'

/** Folders that are equal to another one and come back from the database. */
const MOST_ALIKE = 200_000

/**
 * The folders of all sources that are whole copies of another one: the same number of files with
 * the same SHA-256, whatever their names. Digests are compared by four sums of 60 of their bits
 * each, so that others than copies are equal by chance with 2^-240.
 * @param names as `sourceNames`
 * @throws AppError `bad-input` for fingerprints without paths
 */
export async function folderCopies(
  database: Database,
  checked: readonly CheckedFingerprints[],
  names: readonly (string | null)[],
  leastBytes: number,
): Promise<CopiedFolders> {
  requirePaths(checked, '--table folders')
  await database.run(
    `CREATE OR REPLACE TEMP TABLE folders (source INT, path VARCHAR, files BIGINT, bytes BIGINT, ${columns('HUGEINT')})`,
  )
  let filesWithoutDigest = 0
  for (const [source, one] of checked.entries()) {
    const files = `SELECT string_split(path, '/') AS parts, size, sha256 FROM ${filesOf(one)}`
    await database.run(
      `INSERT INTO folders SELECT ${source}, path, COUNT(*), CAST(SUM(size) AS BIGINT), ${sums()}
        FROM (
          SELECT array_to_string(parts[1:depth], '/') AS path, size, ${digests()}
          FROM (SELECT *, unnest(range(${Math.max(1, depthOf(names[source] ?? null))}, len(parts))) AS depth FROM (${files}))
        )
        GROUP BY path HAVING SUM(size) >= ${leastBytes} AND COUNT(*) = COUNT(digest0) AND SUM(size) > 0`,
    )
    const without = `SELECT CAST(COUNT(*) AS BIGINT) AS files FROM ${filesOf(one)} WHERE size > 0 AND sha256 = ''`
    for await (const { files: found } of database.rows(without, { files: 'number' }))
      filesWithoutDigest += found
  }
  const content = `concat_ws(' ', files, bytes, ${DIGESTS.join(', ')})`
  const alike: AlikeFolder[] = []
  const shape = { source: 'number', path: 'text', files: 'number', bytes: 'number', content: 'text' } as const
  const equal = `SELECT source, path, files, bytes, content
    FROM (SELECT *, ${content} AS content, COUNT(*) OVER (PARTITION BY files, bytes, ${DIGESTS.join(', ')}) AS equals FROM folders)
    WHERE equals > 1 ORDER BY bytes DESC, content, source, path LIMIT ${MOST_ALIKE + 1}`
  for await (const row of database.rows(equal, shape)) alike.push(row)
  await database.run('DROP TABLE folders')
  const isCut = alike.length > MOST_ALIKE
  // Of the last content there may be more than came.
  const last = isCut ? alike.at(-1)?.content : undefined
  return {
    leastBytes,
    filesWithoutDigest,
    isCut,
    copies: copiesOf(alike.filter(({ content: own }) => own !== last)),
  }
}

const DIGESTS = [0, 1, 2, 3].map((part) => `digest${part}`)

function columns(type: string): string {
  return DIGESTS.map((name) => `${name} ${type}`).join(', ')
}

function sums(): string {
  return DIGESTS.map((name) => `SUM(${name})`).join(', ')
}

/** Numbers of a file's digest; none where there is no digest. Empty files have no content. */
function digests(): string {
  return DIGESTS.map(
    (name, part) =>
      `CASE WHEN size = 0 THEN 0 WHEN sha256 = '' THEN NULL ELSE CAST('0x' || substr(sha256, ${1 + 16 * part}, 15) AS BIGINT) END AS ${name}`,
  ).join(', ')
}
