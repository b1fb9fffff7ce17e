import { Button } from 'react-aria-components'
import { t } from '../../copy'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { MeasureSession } from './measureSession'
import type { MeasureState } from './measureState'
import { changeWords } from './measureWords'
import { OwnSpec } from './OwnSpec'
import { PreviewSection } from './PreviewSection'

/**
 * The preview of a measurement, its specification to be saved, and where one of one's own is
 * written.
 */
export function PreviewPanel({ running, hasFigures }: { running: boolean; hasFigures: boolean }) {
  const session = useSession()
  const measureSession = useSession(MeasureSession)
  const units = useUnits()
  const measure = useStateOf(MeasureSession)
  const { form, preview, problem, agreed } = measure
  const isOwn = form.spec === 'own' && !form.readOnly
  const changes = preview?.changes.map((change) => changeWords(change, units)) ?? []
  return (
    <PreviewSection
      hasFigures={hasFigures}
      preview={preview}
      problem={isOwn && problem?.code === 'bad-input' ? null : problem}
      waiting={waitingFor(measure)}
      action={
        preview !== null && (
          <Button
            className="quiet"
            onPress={() => void session.saveText(`${fileName(preview.spec.name)}.yaml`, preview.specText)}
          >
            {t('spec.save')}
          </Button>
        )
      }
      above={isOwn && <OwnSpec running={running} />}
      readsNote={t('preview.files', { count: preview?.files ?? 0 })}
      words={changes.length === 0 ? null : `${t('preview.changes')} ${changes.join('; ')}`}
      agreed={agreed}
      running={running}
      onAgree={(on) => measureSession.agree(on)}
    />
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
