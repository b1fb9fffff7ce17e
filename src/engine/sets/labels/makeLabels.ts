/**
 * The room `labels` draws what is printed for discs and their cases.
 * How: texts come from the plan (`labelTextsOf`), their places from the domain, and each page is
 * drawn once for PDF and for SVG.
 * Not here: the names of volumes, which a plan has.
 */

import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { encodeQR } from 'qr'
import type { LabelsRequest } from '../../../contract/dto/labels'
import { caseSheets, foldsOf } from '../../../domain/sets/labels/caseSheets'
import { type CaseKind, caseOf, DISC_FACE } from '../../../domain/sets/labels/cases'
import { discFace } from '../../../domain/sets/labels/discFace'
import type { Measure } from '../../../domain/sets/labels/drawing'
import type { LabelTexts } from '../../../domain/sets/labels/labelTexts'
import { LABELS_SCHEMA, type LabelsDocument } from '../../../domain/sets/labelsDocument'
import { mediumOfVolume } from '../../../domain/sets/mixedMedia'
import { labelRanges } from '../../../domain/sets/naming/labelRanges'
import { AppError } from '../../../primitives/appError'
import { withFigures } from '../../../primitives/figureLanguage'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { attempt, fsPath, joinPath, lstatAt } from '../../files/fileSystem'
import { replaceFile } from '../../files/place'
import type { PlaceNotes } from '../../files/scratch'
import { currentPlan } from '../volume/planned/currentPlan'
import { chosenParity, chosenVolumes, openPlanFolder, setIdOf } from '../volume/planned/planFolder'
import { type LabelFonts, labelFonts, measureBy, withCodes } from './fonts'
import { LABEL_WORDS, parityTexts, volumeTexts } from './labelTextsOf'
import { type LabelPage, pdfOf } from './pdfPages'
import { svgText } from './svgText'

/** One volume's label: its texts, and the case that its medium is kept in. */
interface Label {
  readonly texts: LabelTexts
  readonly caseKind: CaseKind
}

/** A drawing with the name of its file and the label of its volume. */
interface LabelDrawing extends LabelPage {
  readonly file: string
  readonly label: string
}

/**
 * Writes a label for each disc of a plan: the face of the disc and the sheets of its case, each as
 * SVG, and all of them in `labels.pdf`. The same plan gives the same bytes. An archive that was
 * packed is labelled as it was built.
 * @throws AppError `refused` for folder volumes, `exists`, `usage` for a volume that is not there
 */
export async function makeLabels(request: LabelsRequest, notes: PlaceNotes): Promise<LabelsDocument> {
  const { directory, out, volumes, copy, paper } = request
  const planned = await openPlanFolder(directory)
  const { plan } = await currentPlan(planned)
  if (plan.medium.kind === 'folder') {
    const message = said`cannot make labels of plan ${plan.id}: its volumes are folders; labels are for discs`
    throw new AppError('refused', message, { path: directory })
  }
  const language = request.language ?? plan.language ?? 'en'
  const set = { plan, setId: setIdOf(plan), copy, language }
  const labels = withFigures(language, () => [
    ...chosenVolumes(plan, volumes).map((volume) => ({
      texts: volumeTexts(volume, set),
      caseKind: request.case ?? caseOf(mediumOfVolume(plan, volume.index)),
    })),
    ...chosenParity(plan, volumes).map((disc) => ({
      texts: parityTexts(disc, set),
      caseKind: request.case ?? caseOf(plan.medium),
    })),
  ])
  const fonts = await labelFonts(request.font ?? null)
  const measure = measureBy(fonts)
  const { say } = LABEL_WORDS[language]
  const caption = (label: string): string => say('label.caption', { label })
  const pages = labels.flatMap((label) => drawingsOf(label, measure, caption))
  const files: { path: string; content: string | Uint8Array }[] = pages.map(({ file, drawing, label }) => ({
    path: joinPath(out, file),
    content: svgText(drawing, label),
  }))
  const title = say('label.title', { labels: labelRanges(labels.map(({ texts }) => texts.label)) })
  const pdf = joinPath(out, 'labels.pdf')
  const content = await pdfOf(pages, { title, language, paper, fonts, madeWallMs: plan.createdWallMs })
  files.push({ path: pdf, content })
  await writeAll(files, request, notes)
  return {
    schema: LABELS_SCHEMA,
    planId: plan.id,
    directory: out,
    pdf,
    drawings: files.flatMap(({ path }) => (path === pdf ? [] : [path])),
    volumes: labels.length,
    substituted: [...new Set(labels.flatMap(({ texts }) => substituted(texts, fonts)))],
  }
}

function drawingsOf(
  { texts, caseKind }: Label,
  measure: Measure,
  caption: (label: string) => string,
): LabelDrawing[] {
  const modules = codeOf(texts.identity)
  const { label } = texts
  return [
    {
      file: `${label}-disc.svg`,
      label,
      drawing: discFace(texts, modules, DISC_FACE, measure),
      guides: { disc: DISC_FACE },
      caption: caption(label),
    },
    ...caseSheets(texts, modules, caseKind, measure).map((sheet) => ({
      file: `${label}-${sheet.name}.svg`,
      label,
      drawing: sheet,
      guides: { folds: foldsOf(caseKind, sheet.name) },
      caption: caption(label),
    })),
  ]
}

/** A QR code without its quiet zone, for which the layout leaves room. */
function codeOf(lines: readonly string[]): boolean[][] {
  const rows = encodeQR(lines.join('\n'), 'raw', { ecc: 'medium', border: 1 })
  return rows.slice(1, -1).map((row) => row.slice(1, -1))
}

function substituted(texts: LabelTexts, fonts: LabelFonts): string[] {
  const names = [texts.name, ...texts.folders.map(({ path }) => path)]
  return names.filter((name) => withCodes(name, fonts) !== name)
}

interface LabelFile {
  readonly path: string
  readonly content: string | Uint8Array
}

/** Writes files whole; what a run that was killed has made already is kept. */
async function writeAll(
  files: readonly LabelFile[],
  { out, force }: LabelsRequest,
  notes: PlaceNotes,
): Promise<void> {
  const lacking = files.filter((file) => !isThere(file))
  const others = lacking.length === 0 ? files : lacking
  const there = force ? undefined : others.find(({ path }) => lstatAt(path) !== null)
  if (there)
    throw new AppError('exists', said`${pathForDisplay(there.path)} is already there (--force replaces it)`, {
      path: there.path,
    })
  await attempt('write', out, mkdir(fsPath(out), { recursive: true }))
  for (const { path, content } of lacking) await replaceFile(notes, path, force, () => [content])
}

function isThere({ path, content }: LabelFile): boolean {
  const stats = lstatAt(path)
  const bytes = Buffer.from(content)
  return (
    stats?.isFile() === true &&
    Number(stats.size) === bytes.length &&
    bytes.equals(readFileSync(fsPath(path)))
  )
}
