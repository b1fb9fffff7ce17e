import type { Estimate } from '../../../primitives/estimate'
import { RISKS } from '../choice/readers'
import type { OptionFacts, SurveyFacts } from '../facts'
import type { Recipe } from '../recipes/recipe'
import type { Reader, System, Variant } from '../recipes/variant'
import { variantOf } from '../recipes/variantDraft'
import { chunkedOf, compressionOf, meanFileBytes } from '../surveyFigures'
import { type ProgramCost, packWork, programWork, unpackWork } from './codecWork'
import { estimateOf, sum, sumTogether, within } from './estimateParts'
import { newBytes } from './newBytes'
import { meanChunk, type RepositoryLists, repositoryBytes } from './repositoryModel'

const MIB = 1024 * 1024

/** A program that keeps chunks, as it was measured. */
export interface RepositoryKind {
  readonly tool: string
  /** As people call it. */
  readonly title: string
  readonly chunker: string
  readonly readers: readonly Reader[]
  /** `always`: a repository that is always encrypted, with that work in `work`. */
  readonly encryption?: 'always'
  indexBytes(survey: SurveyFacts, uniqueChunks: number): number
  readonly work: ProgramCost
  readonly unpackWork: ProgramCost
  /** To open the repository, however fast the machine is. */
  readonly unpackKeySeconds?: Estimate
  /** For each folder in addition; none where it is not given. */
  readonly unpackFolderSeconds?: number
  ram(survey: SurveyFacts, chunks: number): Estimate
  /** The size of one of its files. */
  readonly packBytes: number
  readonly threads: number
  /** Beside the work, whatever is done at once. */
  readonly waitSeconds?: (survey: SurveyFacts) => Estimate
  readonly waitCpuSeconds?: Estimate
  readonly makers: readonly System[]
  readonly notes?: readonly string[]
}

export interface RepositoryCodec {
  readonly recipe: Recipe
  /** The survey's codec; null for none. */
  readonly codec: string | null
  readonly codecFactor: number
  /** The time to begin with each different chunk, where it is more than nothing. */
  readonly chunkSeconds?: number
  readonly lists: RepositoryLists
}

/** Files of a repository besides its packs. */
const FEW_FILES = 8

/** The repositories of a program, one for each codec whose rate the survey has sampled. */
export function repositoryVariants(
  facts: OptionFacts,
  kind: RepositoryKind,
  codecs: readonly RepositoryCodec[],
): Variant[] {
  return codecs.flatMap((codec) => repositoryVariant(facts, kind, codec) ?? [])
}

function repositoryVariant(facts: OptionFacts, kind: RepositoryKind, codec: RepositoryCodec): Variant | null {
  const { survey, machine } = facts
  const chunked = chunkedOf(survey, kind.chunker)
  if (!chunked) return null
  const index = kind.indexBytes(survey, chunked.uniqueChunks)
  const stored = repositoryBytes(survey, chunked, codec.codec, codec.codecFactor, codec.lists, index)
  if (!stored) return null
  const { files, folders, bytes } = survey.totals
  const row = codec.codec === null ? undefined : compressionOf(survey, codec.codec, MIB)
  const packing =
    codec.codec === null
      ? null
      : packWork(Math.min(chunked.uniqueBytes, newBytes(survey)), codec.codec, MIB, facts, 'distinct chunks')
  if (codec.codec !== null && !packing) return null
  const startSeconds = kind.work.startSeconds + (codec.chunkSeconds ?? 0) * chunked.uniqueChunks
  const own = programWork({ ...kind.work, startSeconds }, files, bytes, machine)
  const backSeconds = kind.unpackWork.startSeconds + (kind.unpackFolderSeconds ?? 0) * folders
  const back = programWork({ ...kind.unpackWork, startSeconds: backSeconds }, files, bytes, machine)
  const unpacking = codec.codec === null ? null : unpackWork(bytes, codec.codec, row)
  const unpacked = unpacking ? sumTogether([unpacking, back], `${unpacking.basis}, and ${back.basis}`) : back
  const ram = kind.ram(survey, chunked.uniqueChunks)
  const chunk = Math.max(meanChunk(chunked), meanFileBytes(survey))
  const packs = Math.ceil(stored.value / kind.packBytes) + FEW_FILES
  const ratio = chunked.uniqueBytes > 0 ? Math.min(1.5, stored.value / chunked.uniqueBytes) : 1
  return variantOf({
    recipe: codec.recipe,
    title: `${kind.title} repository, ${codec.codec === null ? 'not compressed' : codec.codec.replace('-', ' ')}`,
    container: kind.tool,
    reduction: codec.codec === null ? 'chunks' : 'chunks+compression',
    codec: codec.codec,
    chunker: kind.chunker,
    storedBytes: stored,
    storedFiles: estimateOf(
      { value: packs, low: packs / 2, high: packs * 2 },
      'modelled',
      'packs of usual length',
    ),
    largestPieceBytes: Math.min(kind.packBytes, stored.value),
    packSeconds: packing ? sumTogether([packing, own], `${packing.basis}, and ${own.basis}`) : own,
    packThreads: kind.threads,
    ...(kind.waitSeconds ? { waitSeconds: kind.waitSeconds(survey) } : {}),
    ...(kind.waitCpuSeconds ? { waitCpuSeconds: kind.waitCpuSeconds } : {}),
    packRamBytes: ram,
    unpackSeconds: kind.unpackKeySeconds ? sum([unpacked, kind.unpackKeySeconds], unpacked.basis) : unpacked,
    useRamBytes: ram,
    fetchBytes: within(chunk * ratio + index, 0.6, 'modelled', 'the chunks of the file, and the index once'),
    fetchSeconds: within(
      kind.unpackWork.startSeconds,
      0.6,
      'assumed',
      'starting the program and reading its index',
    ),
    access: 'extract',
    readers: kind.readers,
    makers: kind.makers,
    encryption: {
      kinds: kind.encryption === 'always' ? ['aes-256'] : ['none', 'aes-256'],
      secondsPerByte: kind.encryption === 'always' ? 0 : 1e-9,
      provenance: 'assumed',
    },
    risks: [RISKS.ownRepository, RISKS.indexLoss],
    notes: [
      ...(kind.notes ?? []),
      ...(kind.encryption === 'always' ? ['Always encrypted: without its password it cannot be read.'] : []),
    ],
  })
}
