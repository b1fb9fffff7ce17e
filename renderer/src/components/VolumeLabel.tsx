/**
 * A volume's label on one line: where space is short its stem gives way, its number stays. The
 * whole of it is the title.
 */
export function VolumeLabel({ label }: { label: string }) {
  const number = /_\d+$/.exec(label)?.[0] ?? ''
  return (
    <span className="volume-label given-name" title={label}>
      <span className="ellipsis">{label.slice(0, label.length - number.length)}</span>
      <span>{number}</span>
    </span>
  )
}
