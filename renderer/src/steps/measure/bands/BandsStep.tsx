import type {
  BandSweepDocument,
  BandSweepLive,
  BandSweepPreview,
} from '../../../../../src/contract/dto/bands'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatBandSize, formatSize, type Units } from '../../../../../src/primitives/quantity'
import { formatDuration, formatMoment } from '../../../../../src/primitives/spokenTime'
import { countFigure, Figure } from '../../../components/Figure'
import { typedSize } from '../../../components/typedSize'
import { t } from '../../../copy'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../../state/sessionContext'
import type { PreviewWords } from '../PreviewSection'
import { ProofPanel } from '../ProofPanel'
import { TimedPage } from '../TimedPage'
import { BandChartPanel } from './BandChartPanel'
import { BandHistory } from './BandHistory'
import { BandsForm } from './BandsForm'
import { BandsSession } from './bandsSession'
import { sweepProof } from './bandsWords'
import { RecommendationPanel } from './RecommendationPanel'

/** Which band size makes a sparse bundle fast here? */
export function BandsStep() {
  const session = useSession(BandsSession)
  const units = useUnits()
  const bands = useStateOf(BandsSession)
  const running = useIsRunning('bands')
  const { live, form } = bands
  const document = running ? null : bands.document
  return (
    <TimedPage
      kind="bands"
      state={bands}
      session={session}
      says={sayWhat(document, running, live, units)}
      name="band-sweep"
      start={t(running ? 'bands.running' : 'bands.start')}
      form={<BandsForm running={running} />}
      preview={previewWords(bands.preview, units)}
      empty={{ title: t('bands.empty.title'), text: t('bands.empty.text') }}
      history={<BandHistory running={running} units={units} />}
    >
      <RecommendationPanel document={document} />
      <BandChartPanel
        points={document ? [document.reference, ...document.points] : (live?.points ?? [])}
        document={document}
        fullBytes={document?.request.fullBytes ?? typedSize(form.fullSize) ?? 1e12}
      />
      {document && <ProofPanel {...sweepProof(document, units)} />}
    </TimedPage>
  )
}

/** The points of a sweep, in its preview. */
function previewWords(preview: BandSweepPreview | null, units: Units): PreviewWords {
  if (preview === null) return { words: null }
  const { points, repeats, passBytes, tooLarge } = preview
  return {
    more: (
      <Figure
        label={t('bands.preview.points')}
        {...countFigure(points.length, t('bands.preview.points'))}
        basis={{ provenance: 'exact', text: t('bands.basis.points') }}
        note={t('bands.preview.pointsNote', { rounds: repeats, pass: formatSize(passBytes, units) })}
      />
    ),
    words:
      tooLarge.length === 0
        ? null
        : t('bands.preview.tooLarge', { sizes: tooLarge.map(formatBandSize).join(', ') }),
  }
}

function sayWhat(
  document: BandSweepDocument | null,
  running: boolean,
  live: BandSweepLive | null,
  units: Units,
): string {
  if (running && live)
    return t('bands.says.live', { done: Math.min(live.roundsDone + 1, live.rounds), count: live.rounds })
  if (running) return t('measure.says.preparing')
  if (!document) return t('bands.says.none')
  const done = t('bands.says.done', {
    count: document.points.length + 1,
    device: pathForDisplay(document.device.name),
    moment: formatMoment(document.createdWallMs),
    written: formatSize(document.writtenBytes, units),
    read: formatSize(document.readBytes, units),
    time: formatDuration(document.elapsedMs),
  })
  if (!document.cache.plausible) return `${t('bands.says.implausible')} ${done}`
  return document.partial ? `${t('bands.says.partial', { count: document.repeats })} ${done}` : done
}
