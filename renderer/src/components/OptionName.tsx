/**
 * An option's name in two lines: what it is, then its parameters. It wraps where space is short and
 * is never cut.
 */
export function OptionName({ name }: { name: string }) {
  const cut = name.indexOf(', ')
  return (
    <span className="option-words">
      <span className="option-kind">{cut < 0 ? name : name.slice(0, cut)}</span>
      {cut >= 0 && (
        <>
          <span className="hidden-text">, </span>
          <span className="option-parameters">{name.slice(cut + 2)}</span>
        </>
      )}
    </span>
  )
}
