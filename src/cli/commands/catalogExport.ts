import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { noPositionals, readArguments } from '../arguments'
import { CATALOG_EXPORT } from '../declarations/catalog'
import { openSession } from '../session'
import { nextCommand, typedPath } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import type { Terminal } from '../terminal'
import { countedCopies } from './catalogCopies'

/** `stowage catalog export`: what this machine knows of copies, as tables for all machines. */
export async function catalogExport(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, CATALOG_EXPORT)
  noPositionals(positionals, 'catalog export')
  const { parquet, 'fingerprint-key': key, 'no-paths': noPaths, force } = values
  if (parquet === undefined) throw new AppError('usage', 'give a folder to export to: --parquet FOLDER')
  await using session = openSession(out)
  if (key === undefined)
    out.note('without --fingerprint-key the digests prove to anyone with a copy of a file that it is stored')
  const id = await session.run(() =>
    session.exportCatalog({
      folder: absolutePath(parquet),
      ...(key !== undefined && { key: absolutePath(key) }),
      paths: !noPaths,
      force,
    }),
  )
  const document = session.exportedCatalog(id)
  out.document(document)
  const { catalog, folder, totals, parts } = document
  const { files, volumes, copies, goodCopies, places } = totals
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  out.line(`Catalog ${catalog} exported to ${pathForDisplay(folder)}: ${formatSize(bytes)}.`)
  out.line(
    `  ${formatCounted(files, 'file')} on ${formatCounted(volumes, 'volume')}; ` +
      `${countedCopies(copies)}, ${formatCount(goodCopies)} of them good, at ${formatCounted(places, 'noted place')}`,
  )
  out.line()
  const next = ['fleet', 'kept', 'FINGERPRINTS', '--catalogs', typedPath(absolutePath(parquet))]
  out.lines(nextCommand('How much of surveyed sources is on these copies:', next))
  return EXIT.done
}
