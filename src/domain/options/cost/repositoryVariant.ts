import type { Estimate } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { OptionFacts, SurveyFacts } from '../facts'
import { RISKS } from '../recipes/readers'
import type { Recipe } from '../recipes/recipe'
import type { Reader, System, Variant } from '../recipes/variant'
import { variantOf } from '../recipes/variantDraft'
import { chunkedOf, compressionOf, meanFileBytes, newBytes } from '../surveyFigures'
import { packWork, unpackWork } from './codecTimes'
import { estimateOf, sum, sumTogether, within } from './estimateParts'
import { type WaitName, waitTime, workTime } from './rates'
import { meanChunk, type RepositoryLists, repositoryBytes } from './repositoryModel'

const MIB = 1024 * 1024

/** A program that keeps chunks, as it was measured. */
export interface RepositoryKind {
  readonly tool: 'borg' | 'restic' | 'kopia'
  /** As people call it. */
  readonly title: string
  readonly chunker: string
  readonly readers: readonly Reader[]
  /** `always`: a repository that is always encrypted, with that work in its program's rates. */
  readonly encryption?: 'always'
  indexBytes(survey: SurveyFacts, uniqueChunks: number): number
  /** To open the repository, however fast the machine is. */
  readonly unpackKey?: WaitName
  ram(survey: SurveyFacts, chunks: number): Estimate
  /** The size of one of its files. */
  readonly packBytes: number
  readonly threads: number
  /** Beside the work, whatever is done at once. */
  readonly wait?: WaitName
  readonly waitCpu?: WaitName
  readonly makers: readonly System[]
  readonly notes?: readonly string[]
}

export interface RepositoryCodec {
  readonly recipe: Recipe
  /** The survey's codec; null for none. */
  readonly codec: string | null
  readonly codecFactor: number
  /** True where each different chunk has a time of its own. */
  readonly isByChunk?: boolean
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
      : packWork(
          Math.min(chunked.uniqueBytes, newBytes(survey)),
          codec.codec,
          MIB,
          facts,
          said`distinct chunks`,
        )
  if (codec.codec !== null && !packing) return null
  const counts = { file: files, folder: folders, byte: bytes }
  const chunk = codec.isByChunk ? chunked.uniqueChunks : 0
  const own = workTime(`${kind.tool}.pack`, { ...counts, chunk }, machine)
  const back = workTime(`${kind.tool}.unpack`, counts, machine)
  const unpacking = codec.codec === null ? null : unpackWork(bytes, codec.codec, row, machine)
  const unpacked = unpacking
    ? sumTogether([unpacking, back], said`${unpacking.basis}, and ${back.basis}`)
    : back
  const ram = kind.ram(survey, chunked.uniqueChunks)
  const fetched = Math.max(meanChunk(chunked), meanFileBytes(survey))
  const packs = Math.ceil(stored.value / kind.packBytes) + FEW_FILES
  const ratio = chunked.uniqueBytes > 0 ? Math.min(1.5, stored.value / chunked.uniqueBytes) : 1
  return variantOf({
    recipe: codec.recipe,
    title: said`${kind.title} repository, ${codec.codec === null ? said`not compressed` : codec.codec.replace('-', ' ')}`,
    container: kind.tool,
    reduction: codec.codec === null ? 'chunks' : 'chunks+compression',
    codec: codec.codec,
    chunker: kind.chunker,
    storedBytes: stored,
    storedFiles: estimateOf(
      { value: packs, low: packs / 2, high: packs * 2 },
      'modelled',
      said`packs of usual length`,
    ),
    largestPieceBytes: Math.min(kind.packBytes, stored.value),
    packSeconds: packing ? sumTogether([packing, own], said`${packing.basis}, and ${own.basis}`) : own,
    packThreads: kind.threads,
    ...(kind.wait ? { waitSeconds: waitTime(kind.wait, counts) } : {}),
    ...(kind.waitCpu ? { waitCpuSeconds: waitTime(kind.waitCpu) } : {}),
    packRamBytes: ram,
    unpackSeconds: kind.unpackKey ? sum([unpacked, waitTime(kind.unpackKey)], unpacked.basis) : unpacked,
    useRamBytes: ram,
    fetchBytes: within(
      fetched * ratio + index,
      0.6,
      'modelled',
      said`the chunks of the file, and the index once`,
    ),
    // Starting the program and reading its index.
    fetchSeconds: workTime(`${kind.tool}.unpack`, {}, machine),
    access: 'extract',
    readers: kind.readers,
    makers: kind.makers,
    encryption: {
      kinds: kind.encryption === 'always' ? ['aes-256'] : ['none', 'aes-256'],
      isWork: kind.encryption !== 'always',
    },
    risks: [RISKS.ownRepository, RISKS.indexLoss],
    notes: [
      ...(kind.notes ?? []),
      ...(kind.encryption === 'always'
        ? [said`Always encrypted: without its password it cannot be read.`]
        : []),
    ],
  })
}
