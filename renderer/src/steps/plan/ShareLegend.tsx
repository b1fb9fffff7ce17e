import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatSize } from '../../../../src/primitives/quantity'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'
import { useUnits } from '../../state/sessionContext'
import { type ShareTones, type Tone, toneFill, toneLetter } from './shareTones'

/** The name of a folder in a gauge; empty for all without a colour together. */
export function segmentName(path: string): string {
  return path === '' ? t('shelf.rest') : nameOf(path)
}

/** A colour of the gauges with its letter; grey and without one for all other folders. */
export function Swatch({ tone }: { tone: Tone | null }) {
  const { className, style } = toneFill(tone)
  return (
    <span className={`share-swatch ${className}`} style={style} aria-hidden="true">
      {tone === null ? '' : toneLetter(tone)}
    </span>
  )
}

/** The folders that the colours of the gauges stand for; their sizes are those on all discs. */
export function ShareLegend({
  tones,
  branch,
  isSized = false,
}: {
  tones: ShareTones
  branch: string
  /** With the size of each. */
  isSized?: boolean
}) {
  const units = useUnits()
  const entries = [
    ...tones.toned.map(({ path, tone, bytes }) => ({ path, tone, bytes })),
    ...(tones.others === null ? [] : [{ path: '', tone: null, bytes: tones.others }]),
  ]
  if (tones.toned.length === 0) return null
  return (
    <div className="share-legend">
      <p className="muted">
        {branch === '' ? t('shelf.folders') : t('shelf.foldersIn', { folder: pathForDisplay(branch) })}
      </p>
      <ul aria-label={t('shelf.legend')}>
        {entries.map(({ path, tone, bytes }) => (
          <li key={path}>
            <Swatch tone={tone} />
            <span className="ellipsis given-name" title={`${segmentName(path)}, ${formatSize(bytes, units)}`}>
              {segmentName(path)}
            </span>
            {isSized && <span className="muted">{formatSize(bytes, units)}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
