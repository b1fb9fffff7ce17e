/**
 * A volume's label on one line: where space is short its stem gives way, its number stays. The
 * whole of it is the title.
 */
export function VolumeLabel({ label }: { label: string }) {
  const cut = Math.max(0, label.lastIndexOf('_'))
  return (
    <span className="volume-label given-name" title={label}>
      <span className="ellipsis">{label.slice(0, cut)}</span>
      <span>{label.slice(cut)}</span>
    </span>
  )
}
