import { z } from 'zod'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { said, saidAll, saidRow } from '../../primitives/said'
import { countSchema, pathSchema } from '../scalars'

/** The trees of folders that a disc image may have. */
const imageTreeSchema = z.enum(['iso9660', 'udf'])
export type ImageTreeName = z.infer<typeof imageTreeSchema>

/** An image with damaged folders, and how its files were found in spite of that. */
export const damagedFoldersSchema = z.object({
  path: pathSchema,
  label: z.string(),
  damaged: z.array(imageTreeSchema).min(1),
  /** Files that were found by each tree, and by their sectors from the index. */
  files: z.object({ iso9660: countSchema, udf: countSchema, sectors: countSchema }),
})
export type DamagedFolders = z.infer<typeof damagedFoldersSchema>

const TREE_NAMES: Readonly<Record<ImageTreeName, string>> = { iso9660: 'ISO 9660', udf: 'UDF' }

/** `DISC_02: the ISO 9660 folders are damaged; its files were read by the UDF folders` */
export function damagedFoldersLine(folders: DamagedFolders): string {
  return said`${folders.label}: ${damagedFoldersText(folders)}`
}

/** The same without the label; with counts where files were found in several ways. */
export function damagedFoldersText({ damaged, files }: DamagedFolders): string {
  const what = said`the ${saidAll(damaged.map((tree) => TREE_NAMES[tree]))} folders are damaged`
  const [first, ...rest] = WAYS.filter((way) => files[way] > 0)
  if (first === undefined) return said`${what}; none of its files was found`
  if (rest.length === 0) return said`${what}; its files were read ${wayName(first)}`
  const counted = formatCounted(files[first], 'file')
  const others = saidRow(rest.map((way) => furtherFiles(way, files[way])))
  return files[first] === 1
    ? said`${what}; ${counted} was read ${wayName(first)}, ${others}`
    : said`${what}; ${counted} were read ${wayName(first)}, ${others}`
}

type Way = keyof DamagedFolders['files']
const WAYS = ['iso9660', 'udf', 'sectors'] as const satisfies readonly Way[]

function wayName(way: Way): string {
  switch (way) {
    case 'iso9660':
      return said`by the ISO 9660 folders`
    case 'udf':
      return said`by the UDF folders`
    case 'sectors':
      return said`by their sectors from the index`
  }
}

function furtherFiles(way: Way, count: number): string {
  if (way !== 'sectors') return said`${formatCount(count)} by the UDF folders`
  return count === 1
    ? said`${formatCount(count)} by its sector from the index`
    : said`${formatCount(count)} by their sectors from the index`
}
