import { Checkbox } from 'react-aria-components'
import type { BandSweepPreview } from '../../../../../src/contract/dto/bands'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatBandSize, formatShare, formatSize, type Units } from '../../../../../src/primitives/quantity'
import { countFigure, Figure, sizeFigure } from '../../../components/Figure'
import { PathText } from '../../../components/PathText'
import { t, tMaybe } from '../../../copy'
import { useSession, useUnits } from '../../../state/sessionContext'
import { useStore } from '../../../state/store'
import { deviceWords } from '../measureWords'
import { isMuch } from './bandsState'

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
            <>
              <strong className="bad">{pathForDisplay(problem.message)}.</strong>{' '}
              {tMaybe(`error.${problem.code}`, '')}
            </>
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
  const { refusal } = preview
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
        <Figure
          label={t('preview.free')}
          {...sizeFigure(preview.freeBytes, units)}
          basis={{ provenance: 'exact', text: t('basis.free') }}
          note={t('preview.freeNote', { keep: formatSize(preview.keepFreeBytes, units) })}
        />
        <div className="figure preview-place">
          <div className="figure-label">{deviceWords(preview.device)}</div>
          <PathText path={preview.directory} />
          <div className="figure-note">{t('preview.where')}</div>
        </div>
      </div>
      {preview.tooLarge.length > 0 && (
        <p className="preview-words muted">
          {t('bands.preview.tooLarge', { sizes: preview.tooLarge.map(formatBandSize).join(', ') })}
        </p>
      )}
      {refusal !== null && !running && (
        <p className="preview-words" role="alert">
          <strong className="bad">{t('preview.refused')}</strong> {pathForDisplay(refusal.message)}.
        </p>
      )}
      {refusal === null && isMuch(preview) && (
        <div className="preview-agree">
          <p className="warn">{t('preview.much', { share: formatShare(preview.shareOfCapacity ?? 0) })}</p>
          <Checkbox
            className="checkbox"
            isSelected={agreed}
            isDisabled={running}
            onChange={(on) => session.stores.bands.dispatch({ type: 'agreed', agreed: on })}
          >
            <span className="checkbox-box" aria-hidden="true" />
            <span>{t('preview.agree')}</span>
          </Checkbox>
        </div>
      )}
    </>
  )
}
