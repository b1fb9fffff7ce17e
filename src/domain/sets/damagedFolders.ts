import { z } from 'zod'
import { formatCount, formatCounted } from '../../primitives/quantity'
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
  return `${folders.label}: ${damagedFoldersText(folders)}`
}

/** The same without the label; with counts where files were found in several ways. */
export function damagedFoldersText({ damaged, files }: DamagedFolders): string {
  const trees = damaged.map((tree) => TREE_NAMES[tree]).join(' and ')
  const used = Object.values(files).filter((count) => count > 0).length
  const ways: [count: number, by: string][] = [
    [files.iso9660, 'by the ISO 9660 folders'],
    [files.udf, 'by the UDF folders'],
    [files.sectors, `by ${files.sectors === 1 && used > 1 ? 'its sector' : 'their sectors'} from the index`],
  ]
  const what = `the ${trees} folders are damaged`
  const [first, ...rest] = ways.filter(([count]) => count > 0)
  if (first === undefined) return `${what}; none of its files was found`
  if (rest.length === 0) return `${what}; its files were read ${first[1]}`
  const [count, by] = first
  const others = rest.map(([more, way]) => `${formatCount(more)} ${way}`).join(', ')
  return `${what}; ${formatCounted(count, 'file')} ${count === 1 ? 'was' : 'were'} read ${by}, ${others}`
}
