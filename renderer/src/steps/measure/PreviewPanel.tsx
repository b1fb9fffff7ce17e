import { t } from '../../copy'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { MeasureSession } from './measureSession'
import { changeWords } from './measureWords'
import { PreviewSection } from './PreviewSection'

/** The preview of a measurement. */
export function PreviewPanel({ running, hasFigures }: { running: boolean; hasFigures: boolean }) {
  const session = useSession(MeasureSession)
  const units = useUnits()
  const { form, preview, problem, agreed } = useStateOf(MeasureSession)
  const changes = preview?.changes.map((change) => changeWords(change, units)) ?? []
  return (
    <PreviewSection
      hasFigures={hasFigures}
      preview={preview}
      problem={problem}
      waiting={t(form.place === null ? 'preview.none' : 'preview.wait')}
      readsNote={t('preview.files', { count: preview?.files ?? 0 })}
      words={changes.length === 0 ? null : `${t('preview.changes')} ${changes.join('; ')}`}
      agreed={agreed}
      running={running}
      onAgree={(on) => session.agree(on)}
    />
  )
}
