import german from '../../../../assets/copy/de/labels.json' with { type: 'json' }
import english from '../../../../assets/copy/en/labels.json' with { type: 'json' }
import type { PlanDocument, PlanVolume } from '../../../contract/dto/plan'
import { parseRecipe, partsOf, printRecipe } from '../../../domain/options/recipes/recipe'
import { identityLines, type LabelTexts } from '../../../domain/sets/labels/labelTexts'
import { mediumOfVolume } from '../../../domain/sets/mixedMedia'
import { lastComponent } from '../../../domain/sets/naming/volumePaths'
import type { ParityDisc, ParityKind } from '../../../domain/sets/protection/setParity'
import { messagesPerLanguage } from '../../../language/messages'
import type { Language } from '../../../primitives/languages'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatSize } from '../../../primitives/quantity'
import { isoDay } from '../../../primitives/spokenTime'

/** The words of labels. */
export const LABEL_WORDS = messagesPerLanguage({ en: english, de: german })

/** A set as its labels show it. */
interface LabelledSet {
  readonly plan: PlanDocument
  readonly setId: string | undefined
  readonly copy: number | undefined
  readonly language: Language
}

/** The texts of a volume's label. Those of an encrypted plan do not tell what is on it. */
export function volumeTexts(volume: PlanVolume, set: LabelledSet): LabelTexts {
  const { plan, language } = set
  const { say } = LABEL_WORDS[language]
  const isHidden = plan.packing !== undefined && plan.packing.encryption !== 'none'
  const size = formatSize(volume.bytes)
  const recovery = volume.protection
    ? say('label.note.recovery', { size: formatSize(volume.protection.scratchBytes) })
    : say('label.note.noRecovery')
  const reading = readingNotes(set)
  return {
    ...common(volume, set),
    name: isHidden ? '' : nameOf(plan),
    number: say('label.number', { index: String(volume.index), volumes: String(plan.volumes.length) }),
    facts: [
      ...datedFacts(volume.index, set),
      [say('label.files'), say('label.files.value', { files: volume.files, size })],
      ...copyFact(set),
    ],
    folders: isHidden
      ? []
      : volume.shares.map(({ path, files, bytes }) => ({
          path: path === '' ? say('label.rest') : pathForDisplay(path),
          files: say('label.folder.files', { files }),
          size: formatSize(bytes),
          part: volume.bytes === 0 ? 0 : bytes / volume.bytes,
        })),
    notes: [...reading, recovery, ...parityNotes(set), ...growingNotes(set)],
    discNotes: [...reading, recovery],
  }
}

/** The texts of a parity disc's label. */
export function parityTexts(disc: ParityDisc, set: LabelledSet): LabelTexts {
  const { plan, language } = set
  const { say } = LABEL_WORDS[language]
  const value = say('label.files.parity', { volumes: plan.volumes.length })
  return {
    ...common(disc, set),
    name: nameOf(plan),
    number: say('label.parity', { kind: disc.kind }),
    facts: [...datedFacts(disc.index, set), [say('label.contents'), value], ...copyFact(set)],
    folders: [],
    notes: [say('label.note.isParity'), ...parityNotes(set)],
    discNotes: [say('label.note.isParity')],
  }
}

function common(
  { label, kind, index }: { label: string; index: number; kind?: ParityKind },
  { plan, setId, copy, language }: LabelledSet,
): Pick<LabelTexts, 'label' | 'contents' | 'identity'> {
  const { say } = LABEL_WORDS[language]
  const volumes = plan.volumes.length
  return {
    label,
    contents: say('label.contents'),
    identity: identityLines({ label, index: kind ?? index, volumes, planId: plan.id, setId, copy }),
  }
}

/** The name of the project, or of the first folder. */
function nameOf({ project, roots }: PlanDocument): string {
  return pathForDisplay(project?.name ?? lastComponent(roots[0] ?? ''))
}

function datedFacts(index: number, { plan, language }: LabelledSet): [string, string][] {
  const { say } = LABEL_WORDS[language]
  return [
    [say('label.date'), isoDay(plan.createdWallMs)],
    [say('label.medium'), mediumOfVolume(plan, index).name],
  ]
}

function copyFact({ copy, language }: LabelledSet): [string, string][] {
  return copy === undefined ? [] : [[LABEL_WORDS[language].say('label.copy'), String(copy)]]
}

function readingNotes({ plan: { packing }, language }: LabelledSet): string[] {
  const { say } = LABEL_WORDS[language]
  const read = say('label.note.read.own')
  if (!packing) return [read]
  return [
    ...(packing.encryption === 'none'
      ? []
      : [say('label.note.encrypted', { cipher: packing.encryption.toUpperCase() })]),
    say('label.note.packed', { recipe: methodsOf(packing.recipe) }),
    ...(packing.arrangement === 'joined' ? [say('label.note.joined')] : []),
  ]
}

function parityNotes({ plan: { parity, protectSet }, language }: LabelledSet): string[] {
  if (!parity || !protectSet) return []
  const labels = parity.map(({ label }) => label).join(' + ')
  return [LABEL_WORDS[language].say('label.note.parity', { labels, lost: protectSet })]
}

function growingNotes({ plan: { addsTo }, language }: LabelledSet): string[] {
  return addsTo ? [LABEL_WORDS[language].say('label.note.grows')] : []
}

/** The options of a plan: rules by folder would not fit a label. */
function methodsOf(name: string): string {
  const recipe = parseRecipe(name)
  return recipe ? partsOf(recipe).map(printRecipe).join(', ') : name
}
