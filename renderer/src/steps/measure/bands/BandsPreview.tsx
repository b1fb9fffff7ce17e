import type { BandSweepPreview } from '../../../../../src/contract/dto/bands'
import { formatBandSize, formatSize, type Units } from '../../../../../src/primitives/quantity'
import { countFigure, Figure, sizeFigure } from '../../../components/Figure'
import { t } from '../../../copy'
import { useSession, useUnits } from '../../../state/sessionContext'
import { useStore } from '../../../state/store'
import { needsAgreement } from '../measureState'
import { FreeFigure, PreviewPlace, PreviewProblem, StartConditions } from '../PreviewParts'

/** What would be written, where and how much, before anything is. */
export function BandsPreview({ running }: { running: boolean }) {
  const session = useSession()
  const units = useUnits()
  const { form, preview, problem } = useStore(session.stores.bands)
  return (
    <section className="panel preview" aria-label={t('preview.title')}>
      <header className="panel-head">
        <h2>{t('preview.title')}</h2>
      </header>
      {preview !== null ? (
        <Previewed preview={preview} units={units} running={running} />
      ) : (
        <p className={problem === null ? 'preview-words muted' : 'preview-words'} role="status">
          {problem === null ? (
            t(form.place === null ? 'preview.none' : 'preview.wait')
          ) : (
            <PreviewProblem problem={problem} />
          )}
        </p>
      )}
    </section>
  )
}

function Previewed({
  preview,
  units,
  running,
}: {
  preview: BandSweepPreview
  units: Units
  running: boolean
}) {
  const session = useSession()
  const { agreed } = useStore(session.stores.bands)
  const planned = { provenance: 'exact' as const, text: t('basis.preview') }
  return (
    <>
      <div className="totals preview-figures" role="group" aria-label={t('preview.title')}>
        <Figure
          label={t('preview.writes')}
          {...sizeFigure(preview.writeBytes, units)}
          basis={planned}
          note={t('preview.writesNote', { peak: formatSize(preview.peakBytes, units) })}
        />
        <Figure label={t('preview.reads')} {...sizeFigure(preview.readBytes, units)} basis={planned} />
        <Figure
          label={t('bands.preview.points')}
          {...countFigure(preview.points.length, t('bands.preview.points'))}
          basis={{ provenance: 'exact', text: t('bands.basis.points') }}
          note={t('bands.preview.pointsNote', {
            rounds: preview.repeats,
            pass: formatSize(preview.passBytes, units),
          })}
        />
        <FreeFigure bytes={preview.freeBytes} keepFreeBytes={preview.keepFreeBytes} units={units} />
        <PreviewPlace device={preview.device} directory={preview.directory} note={t('preview.where')} />
      </div>
      {preview.tooLarge.length > 0 && (
        <p className="preview-words muted">
          {t('bands.preview.tooLarge', { sizes: preview.tooLarge.map(formatBandSize).join(', ') })}
        </p>
      )}
      <StartConditions
        preview={preview}
        isMuch={needsAgreement(preview)}
        agreed={agreed}
        running={running}
        onAgree={(on) => session.stores.bands.dispatch({ type: 'agreed', agreed: on })}
      />
    </>
  )
}
