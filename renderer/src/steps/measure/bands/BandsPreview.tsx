import { formatBandSize, formatSize } from '../../../../../src/primitives/quantity'
import { countFigure, Figure } from '../../../components/Figure'
import { t } from '../../../copy'
import { useSession, useStateOf, useUnits } from '../../../state/sessionContext'
import { PreviewSection } from '../PreviewSection'
import { BandsSession } from './bandsSession'

/** The preview of a sweep, with its points. */
export function BandsPreview({ running, hasFigures }: { running: boolean; hasFigures: boolean }) {
  const session = useSession(BandsSession)
  const units = useUnits()
  const { form, preview, problem, agreed } = useStateOf(BandsSession)
  const tooLarge = preview?.tooLarge ?? []
  return (
    <PreviewSection
      hasFigures={hasFigures}
      preview={preview}
      problem={problem}
      waiting={t(form.place === null ? 'preview.none' : 'preview.wait')}
      more={
        preview && (
          <Figure
            label={t('bands.preview.points')}
            {...countFigure(preview.points.length, t('bands.preview.points'))}
            basis={{ provenance: 'exact', text: t('bands.basis.points') }}
            note={t('bands.preview.pointsNote', {
              rounds: preview.repeats,
              pass: formatSize(preview.passBytes, units),
            })}
          />
        )
      }
      words={
        tooLarge.length === 0
          ? null
          : t('bands.preview.tooLarge', { sizes: tooLarge.map(formatBandSize).join(', ') })
      }
      agreed={agreed}
      running={running}
      onAgree={(on) => session.agree(on)}
    />
  )
}
