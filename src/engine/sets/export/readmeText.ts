import type { PlanDocument } from '../../../contract/dto/plan'
import { recipeText } from '../../../domain/options/recipes/byFolder'
import { mediaOf } from '../../../domain/sets/mixedMedia'
import { ruleText } from '../../../domain/survey/rules/rules'
import { withFigures } from '../../../primitives/figureLanguage'
import type { Language } from '../../../primitives/languages'
import { pathForDisplay } from '../../../primitives/pathText'
import { DISC_TEXTS, type SayDiscText } from '../volume/lists/discTexts'
import { hasImageList } from '../volume/lists/imageTsv'
import type { PlanBeforeSizing } from '../volume/lists/planBeforeSizing'
import { excludedText } from './excludedText'

/** The facts of one volume that its readme has. */
interface ReadmeVolume {
  readonly index: number
  readonly label: string
  readonly volumes: number
  readonly payloadName: string
  /** True when `REJOIN.sh` is on the volume. */
  readonly hasRejoin: boolean
  /** Absent without recovery data. */
  readonly protection?: object | undefined
}

/**
 * The readme of a volume, for a person who finds it. It holds only facts that are fixed before the
 * volume is sized. In another language than English, that text comes before the English one, and
 * before both the lines that programs read.
 */
export function volumeReadme(plan: PlanBeforeSizing, volume: ReadmeVolume): string {
  const { language = 'en' } = plan
  const english = readmeIn('en', plan, volume)
  if (language === 'en') return english
  const head = factLines(DISC_TEXTS.en.say, plan, volume, [])
  return [...head, '', readmeIn(language, plan, volume), `${'-'.repeat(80)}\n`, english].join('\n')
}

function readmeIn(language: Language, plan: PlanBeforeSizing, volume: ReadmeVolume): string {
  return withFigures(language, () => {
    const { say } = DISC_TEXTS[language]
    const isStreamed = plan.packing?.streamed === true
    const { payloadName: folder } = volume
    return [
      ...factLines(say, plan, volume, contentLines(say, language, plan)),
      '',
      ...storedAs(say, plan),
      ...growingLines(say, plan),
      readingLines(say, plan),
      '',
      say('readme.folder', { folder }),
      isEncrypted(plan)
        ? say('readme.index.encrypted', { isStreamed: isStreamed ? 'yes' : 'no' })
        : say('readme.index'),
      ...(isStreamed ? [say('readme.index.streamed')] : []),
      say('readme.sums', { folder }),
      ...(volume.hasRejoin ? [say('readme.rejoin', { folder })] : []),
      ...(volume.protection !== undefined ? [say('readme.repair', { folder })] : []),
      ...(plan.protectSet ? [say('readme.rebuild', { folder })] : []),
      ...(hasImageList(plan, volume) ? [say('readme.image')] : []),
      '',
    ].join('\n')
  })
}

function isEncrypted({ packing }: Pick<PlanDocument, 'packing'>): boolean {
  return packing !== undefined && packing.encryption !== 'none'
}

/**
 * The volume, plan and project. Programs read the English ones: `RESTORE.sh` finds the number of
 * the volume in the first line, and by its ID a project finds its volumes. The name of a project
 * may say what an encrypted volume holds.
 */
function factLines(
  say: SayDiscText,
  plan: PlanBeforeSizing,
  { index, volumes, label }: ReadmeVolume,
  content: readonly string[],
): string[] {
  const { project } = plan
  // In UTC: a disc that is built again on a computer elsewhere has the same bytes.
  const date = new Date(plan.createdWallMs).toISOString().slice(0, 10)
  return [
    say('readme.title', { index: String(index), volumes: String(volumes), label, date }),
    ...content,
    say('readme.plan', { id: plan.id }),
    ...(project
      ? [
          isEncrypted(plan)
            ? say('readme.project.id', { id: project.id })
            : say('readme.project', { name: pathForDisplay(project.name), id: project.id }),
        ]
      : []),
  ]
}

/** Rules that a readme names, each at most so long: it has to fit into a few sectors. */
const NAMED_RULES = 8
const RULE_LENGTH = 60

/**
 * The content of the set and what it leaves out; who finds an encrypted volume is not to learn it.
 */
function contentLines(say: SayDiscText, language: Language, plan: PlanBeforeSizing): string[] {
  if (isEncrypted(plan)) return []
  const archived = say('readme.archived', { roots: plan.roots.map(pathForDisplay).join(', ') })
  const { excluded } = plan
  if (!excluded) return [archived]
  const named = excluded.rules.slice(0, NAMED_RULES).map((rule) => {
    const text = pathForDisplay(ruleText(rule))
    return text.length > RULE_LENGTH ? `${text.slice(0, RULE_LENGTH - 1)}…` : text
  })
  const more = excluded.rules.length - named.length
  const rules = named.join(', ')
  return [
    archived,
    say('readme.leftOut', {
      what: excludedText(excluded, language),
      rules: more > 0 ? say('readme.leftOut.more', { rules, count: more }) : rules,
    }),
  ]
}

function storedAs(
  say: SayDiscText,
  { packing, equalFiles }: Pick<PlanDocument, 'packing' | 'equalFiles'>,
): string[] {
  if (!packing) return [say('readme.plain'), ...(equalFiles ? [say('readme.equal')] : [])]
  const { recipe, encryption } = packing
  return [
    say('readme.packed', { recipe: recipeText(recipe), encryption, cipher: encryption.toUpperCase() }),
    say(packing.arrangement === 'joined' ? 'readme.joined' : 'readme.independent'),
  ]
}

/** The earlier volumes that hold what this one does not. */
function growingLines(say: SayDiscText, { addsTo }: Pick<PlanDocument, 'addsTo'>): string[] {
  const labels = addsTo?.flatMap(({ volumes }) => volumes.map(({ label }) => label)) ?? []
  const [first, last] = [labels[0], labels.at(-1)]
  if (first === undefined || last === undefined) return []
  return [say('readme.grows', { labels: first === last ? first : `${first} – ${last}` })]
}

/** The systems and programs that read a volume. */
function readingLines(say: SayDiscText, { medium }: PlanBeforeSizing): string {
  return say(medium.kind === 'folder' ? 'readme.read.folder' : 'readme.read.own')
}

/** The readme of an exported plan: describes the files in its folder to the person who opens it. */
export function planReadme(plan: PlanDocument, language: Language): string {
  return withFigures(language, () => {
    const { say } = DISC_TEXTS[language]
    const { id, totals, volumes, packing } = plan
    const medium = mediaOf(plan)
      .map((one) => one.medium.name)
      .join(' + ')
    return [
      say('plan.title', { id, files: totals.files, volumes: volumes.length, medium }),
      '',
      say('plan.files'),
      ...(packing ? packedLines(say, packing) : plainLines(say, plan)),
      say(packing?.image ? 'plan.mac.sources' : 'plan.sources'),
      '',
    ].join('\n')
  })
}

/** Commands of other systems that burn an image. */
const OTHER_SYSTEMS = [
  '  macOS     hdiutil burn -noverifyburn images/01.iso',
  '            drutil burn -noverify images/01.iso',
  '  Windows   ImgBurn.exe /MODE WRITE /SRC images\\01.iso /DEST F: /START /VERIFY YES /CLOSESUCCESS',
]

function plainLines(say: SayDiscText, { medium, parity }: PlanDocument): string[] {
  if (medium.kind !== 'image') return [say('plan.payload'), '', say('plan.folders.stowage')]
  return [
    say('plan.payload'),
    say('plan.burn'),
    ...(parity ? ['', ...parity.map(({ label, kind }) => say('plan.parity', { label, kind }))] : []),
    ...(parity ? [say('plan.parity.lost', { discs: parity.length })] : []),
    '',
    say('plan.otherSystems'),
    ...OTHER_SYSTEMS,
    '',
    say('plan.images.stowage'),
  ]
}

function packedLines(
  say: SayDiscText,
  { recipe, encryption, image }: NonNullable<PlanDocument['packing']>,
): string[] {
  if (!image) return [say('plan.packed', { recipe: recipeText(recipe) })]
  return [
    say('plan.payload'),
    say('plan.mac.files'),
    '',
    say('plan.mac', { recipe }),
    ...(encryption === 'none' ? [] : [say('plan.mac.asks')]),
  ]
}
