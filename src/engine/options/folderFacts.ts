import type { SurveyDocument } from '../../contract/dto/survey'
import { archiveOverhead } from '../../domain/forecast/groupedForecast'
import { titlePlace } from '../../domain/forecast/titles'
import type { FolderFacts, SurveyFacts } from '../../domain/options/facts'
import { type ArchiveKind, folderPart, type OptionFile } from '../../domain/options/folderParts'
import { typesAsIs } from '../../domain/options/recipes/asIs'
import {
  groupedBy,
  parseRecipe,
  partsOf,
  printRecipe,
  type Recipe,
  type RecipeOf,
} from '../../domain/options/recipes/recipe'
import { compressionOf } from '../../domain/options/surveyFigures'
import type { GroupedBy } from '../../domain/survey/surveyDocument'
import { extensionOf } from '../../domain/survey/typeTable'
import { AppError } from '../../primitives/appError'
import { pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import type { SurveyEntry } from '../catalog/entry'
import { joinPath } from '../files/fileSystem'
import { requireUsableRules, ruledFiles, ruledPath } from './folderRules'
import { surveyFacts } from './optionFacts'
import { SurveyGroups } from './surveyGroups'

/** The parts of the catalog that forecasts by folder are made from. */
export type FolderCatalog = Pick<Catalog, 'surveyEntries' | 'fileGroupIds' | 'packedFiles'>

/** A file of the survey with the option that its rule gives it. */
interface RuledFile {
  readonly entry: SurveyEntry
  readonly extension: string
  readonly option: string
}

/**
 * The files of a survey by the options of a recipe by folder; null for any other name.
 * @throws AppError `usage` for a pattern that cannot be understood, `refused` for files without a
 *   rule, `not-found` where the survey does not know the files of archives
 */
export function folderFacts(
  catalog: FolderCatalog,
  survey: SurveyDocument,
  name: string,
): FolderFacts | null {
  const recipe = parseRecipe(name)
  if (recipe?.family !== 'by-folder') return null
  requireUsableRules(recipe)
  const { files, unused } = filesOf(catalog, survey, recipe)
  const facts = surveyFacts(survey)
  const parts = partsOf(recipe)
    .map((part) => {
      const option = printRecipe(part)
      const source = sourceOf(catalog, survey.id, part, facts)
      const packed = files.map((file): OptionFile => {
        const { digest, id, bytes } = file.entry
        const { extension } = file
        const known = { isIn: file.option === option, content: digest ?? id, extension, bytes }
        return Object.assign(known, source.of(file))
      })
      return folderPart(option, packed, source)
    })
    .filter((part) => part.files > 0)
  return { recipe, parts, unused }
}

function filesOf(
  catalog: FolderCatalog,
  survey: SurveyDocument,
  recipe: RecipeOf<'by-folder'>,
): { readonly files: readonly RuledFile[]; readonly unused: readonly string[] } {
  const entries = [...catalog.surveyEntries(survey.id)].filter(({ kind }) => kind === 'file')
  const paths = entries.map(({ rootIndex, path }) => {
    const root = survey.roots[rootIndex] ?? ''
    return ruledPath(path === '' ? root : joinPath(root, path), survey.roots)
  })
  const { options, unused } = ruledFiles(recipe, paths)
  const files = entries.map((entry, at): RuledFile => {
    const extension = extensionOf(pathToBytes(paths[at] as string))
    return { entry, extension, option: options[at] as string }
  })
  return { files, unused }
}

/** How one option packs the files of a survey. */
interface OptionSource extends ArchiveKind {
  of(file: RuledFile): Omit<OptionFile, 'isIn' | 'content' | 'extension' | 'bytes'>
}

/** A zip has 30 and 46 bytes and the name twice for each file, and 22 at its end (APPNOTE 6.3). */
const ZIP = { fileBytes: 76, names: 2, archiveBytes: 22 }
/** The header and the end of a gzip with a name (RFC 1952); those of others are about as long. */
const COMPRESSED_FILE_BYTES = 18

function sourceOf(
  catalog: FolderCatalog,
  surveyId: string,
  recipe: Recipe,
  survey: SurveyFacts,
): OptionSource {
  const codec = codecOf(recipe)
  const rateOf = ratesOf(survey, codec)
  const by = groupedBy(recipe)
  if (by === null) {
    const types = new Set(typesAsIs(recipe))
    return {
      isSolid: false,
      listBytes: () => COMPRESSED_FILE_BYTES,
      of: ({ entry, extension }) => {
        const packedBytes = entry.bytes * rateOf(extension)
        const isAsIs = types.has(extension)
        return {
          archive: entry.id,
          packedBytes,
          aloneBytes: packedBytes,
          ...(isAsIs && { asIsBytes: entry.bytes }),
        }
      },
    }
  }
  const archiveOf = archives(catalog, surveyId, by)
  const nameBytes = by === 'titles' || by === 'sets' ? survey.pathBytes / 2 : survey.pathBytes
  if (recipe.family === 'torrentzip') {
    return {
      isSolid: false,
      listBytes: (files) => ZIP.archiveBytes + files * (ZIP.fileBytes + ZIP.names * nameBytes),
      of: ({ entry, extension }) => {
        const packedBytes = entry.bytes * rateOf(extension)
        return { archive: archiveOf(entry), packedBytes, aloneBytes: packedBytes }
      },
    }
  }
  const packed = packedBy(catalog, surveyId, by)
  const mean = meanRate(survey, codec)
  return {
    isSolid: true,
    listBytes: (files) => archiveOverhead(files, files * nameBytes),
    of: ({ entry, extension }) => {
      const aloneBytes = entry.bytes * rateOf(extension)
      // The survey's figure is by the mean of all types.
      const packedBytes = packed.get(entry.id)
      const own = packedBytes === undefined ? aloneBytes : (packedBytes * rateOf(extension)) / mean
      return { archive: archiveOf(entry), packedBytes: Math.min(own, Math.max(aloneBytes, 1)), aloneBytes }
    },
  }
}

function codecOf(recipe: Recipe): string {
  if (recipe.family === 'compressed-files') return recipe.codec
  return recipe.family === 'torrentzip' ? 'gzip-9' : 'lzma2-9'
}

/** For an entry the archive that holds it, among those of the whole source. */
function archives(
  catalog: FolderCatalog,
  surveyId: string,
  by: GroupedBy,
): (entry: SurveyEntry) => string | number {
  if (by === 'titles') return ({ rootIndex, path }) => `${rootIndex}/${titlePlace(path)}`
  const groups = new SurveyGroups(catalog, surveyId, by)
  return ({ id }) => groups.of(id) ?? `file ${id}`
}

function packedBy(catalog: FolderCatalog, surveyId: string, by: GroupedBy): ReadonlyMap<number, number> {
  const packed = catalog.packedFiles(surveyId, by)
  if (!packed)
    throw new AppError(
      'not-found',
      said`survey ${surveyId} has no forecast of the archives of single folders: survey again with --full`,
    )
  return new Map(Array.from(packed.ids, (id, at) => [id, packed.bytes[at] as number]))
}

/** Packed over original bytes of all files, each by itself; 1 where nothing is known. */
function meanRate(survey: SurveyFacts, codec: string): number {
  const row = compressionOf(survey, codec, null)
  const { bytes } = survey.totals
  return row && bytes > 0 && row.predictedBytes > 0 ? row.predictedBytes / bytes : 1
}

/**
 * The same of the files of each type that samples tell of; of all other types what is left of the
 * whole.
 */
function ratesOf(survey: SurveyFacts, codec: string): (extension: string) => number {
  const all = meanRate(survey, codec)
  const known = new Map<string, number>()
  let [bytes, packed] = [0, 0]
  for (const row of survey.types) {
    const found = row.compression?.find((one) => one.codec === codec)
    if (row.extension === null || !found || row.bytes === 0) continue
    known.set(row.extension, found.predictedBytes / row.bytes)
    bytes += row.bytes
    packed += found.predictedBytes
  }
  const others = survey.totals.bytes - bytes
  const left = (all * survey.totals.bytes - packed) / others
  const rest = others > 0 ? Math.min(1, Math.max(LEAST_RATE, left)) : all
  return (extension) => known.get(extension) ?? rest
}

/** The rest that samples leave for other types may be next to nothing by their errors alone. */
const LEAST_RATE = 0.02
