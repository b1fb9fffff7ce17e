import { Button } from 'react-aria-components'
import type { MeasurePreview } from '../../../../src/contract/dto/measure'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { Figure, sizeFigure } from '../../components/Figure'
import { t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { type MeasureState, needsAgreement } from './measureState'
import { changeWords } from './measureWords'
import { OwnSpec } from './OwnSpec'
import { FreeFigure, PreviewPlace, PreviewProblem, StartConditions } from './PreviewParts'

/** What would be written, where and how much, before anything is; or why it is refused. */
export function PreviewPanel({ running }: { running: boolean }) {
  const session = useSession()
  const units = useUnits()
  const measure = useStore(session.stores.measure)
  const { form, preview, problem } = measure
  const isOwn = form.spec === 'own' && !form.readOnly
  return (
    <section className="panel preview" aria-label={t('preview.title')}>
      <header className="panel-head">
        <h2>{t('preview.title')}</h2>
        <div className="panel-actions">
          {preview !== null && (
            <Button
              className="quiet"
              onPress={() => void session.saveText(`${fileName(preview.spec.name)}.yaml`, preview.specText)}
            >
              {t('spec.save')}
            </Button>
          )}
        </div>
      </header>
      {isOwn && <OwnSpec running={running} />}
      {preview !== null ? (
        <Previewed preview={preview} units={units} running={running} />
      ) : (
        <p className={problem === null || isOwn ? 'preview-words muted' : 'preview-words'} role="status">
          {problem !== null && !(isOwn && problem.code === 'bad-input') ? (
            <PreviewProblem problem={problem} />
          ) : (
            waitingFor(measure)
          )}
        </p>
      )}
    </section>
  )
}

function waitingFor({ form, problem }: MeasureState): string {
  if (form.place === null) return t('preview.none')
  if (form.spec === 'own' && form.ownText.trim() === '') return t('preview.ownEmpty')
  return problem === null ? t('preview.wait') : ''
}

/** `My test` as a name that every file system takes. */
function fileName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return plain.replace(/^-|-$/g, '') || 'specification'
}

function Previewed({ preview, units, running }: { preview: MeasurePreview; units: Units; running: boolean }) {
  const session = useSession()
  const { agreed } = useStore(session.stores.measure)
  const { readOnly, changes } = preview
  const planned = {
    provenance: 'exact' as const,
    text: t(readOnly ? 'basis.previewReading' : 'basis.preview'),
  }
  return (
    <>
      <div className="totals preview-figures" role="group" aria-label={t('preview.title')}>
        <Figure
          label={t('preview.writes')}
          {...sizeFigure(preview.writeBytes, units)}
          basis={planned}
          note={
            readOnly
              ? t('preview.writesNothing')
              : t('preview.writesNote', { peak: formatSize(preview.peakBytes, units) })
          }
        />
        <Figure
          label={t('preview.reads')}
          {...sizeFigure(preview.readBytes, units)}
          basis={planned}
          note={t('preview.files', { count: preview.files })}
        />
        <FreeFigure
          bytes={preview.freeBytes}
          keepFreeBytes={readOnly ? null : preview.keepFreeBytes}
          units={units}
        />
        <PreviewPlace
          device={preview.device}
          directory={preview.directory}
          note={t(readOnly ? 'preview.whereReading' : 'preview.where')}
        />
      </div>
      {changes.length > 0 && (
        <p className="preview-words muted">
          {t('preview.changes')} {changes.map((change) => changeWords(change, units)).join('; ')}
        </p>
      )}
      <StartConditions
        preview={preview}
        isMuch={needsAgreement(preview)}
        agreed={agreed}
        running={running}
        onAgree={(on) => session.stores.measure.dispatch({ type: 'agreed', agreed: on })}
      />
    </>
  )
}
