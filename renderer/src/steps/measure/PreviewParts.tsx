import type { MeasurePreview } from '../../../../src/contract/dto/measure'
import type { WireError } from '../../../../src/primitives/appError'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatShare, formatSize, type Units } from '../../../../src/primitives/quantity'
import { Figure, sizeFigure } from '../../components/Figure'
import { Check } from '../../components/fields'
import { PathText } from '../../components/PathText'
import { t, tMaybe } from '../../copy'
import { sentence } from '../../format/sentence'
import { deviceWords } from './measureWords'

/** Why there is no preview. */
export function PreviewProblem({ problem }: { problem: WireError }) {
  return (
    <>
      <strong className="bad">{sentence(problem.message)}</strong> {tMaybe(`error.${problem.code}`, '')}
    </>
  )
}

/** How much is free on the device, and how much stays free; `note` is null where nothing is written. */
export function FreeFigure({
  bytes,
  keepFreeBytes,
  units,
}: {
  bytes: number | null
  keepFreeBytes: number | null
  units: Units
}) {
  return (
    <Figure
      label={t('preview.free')}
      {...sizeFigure(bytes, units)}
      basis={{ provenance: 'exact', text: t('basis.free') }}
      note={keepFreeBytes === null ? null : t('preview.freeNote', { keep: formatSize(keepFreeBytes, units) })}
    />
  )
}

/** The device and the folder. */
export function PreviewPlace({
  device,
  directory,
  note,
}: {
  device: MeasurePreview['device']
  directory: string
  note: string
}) {
  return (
    <div className="figure preview-place">
      <div className="figure-label">{deviceWords(device)}</div>
      <PathText path={directory} />
      <div className="figure-note">{note}</div>
    </div>
  )
}

/** Why it cannot start; or what a person agrees to first, where it writes a large share of the device. */
export function StartConditions({
  preview,
  isMuch,
  agreed,
  running,
  onAgree,
}: {
  preview: { readonly refusal: { readonly message: string } | null; readonly shareOfCapacity: number | null }
  isMuch: boolean
  agreed: boolean
  running: boolean
  onAgree: (agreed: boolean) => void
}) {
  if (preview.refusal !== null)
    return running ? null : (
      <p className="preview-words" role="alert">
        <strong className="bad">{t('preview.refused')}</strong> {pathForDisplay(preview.refusal.message)}.
      </p>
    )
  if (!isMuch) return null
  return (
    <div className="preview-agree line">
      <p className="warn">{t('preview.much', { share: formatShare(preview.shareOfCapacity ?? 0) })}</p>
      <Check words={t('preview.agree')} isOn={agreed} isDisabled={running} onChange={onAgree} />
    </div>
  )
}
