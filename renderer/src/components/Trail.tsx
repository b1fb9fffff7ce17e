import { Button } from 'react-aria-components'

/** The folders that lead to the one shown, each but the last of them to go to. */
export function Trail<Id>({
  label,
  folders,
  onGo,
}: {
  label: string
  folders: readonly { readonly id: Id; readonly name: string }[]
  onGo: (id: Id) => void
}) {
  return (
    <nav className="trail" aria-label={label}>
      <ol>
        {folders.map(({ id, name }, index) => (
          <li key={String(id)}>
            {index === folders.length - 1 ? (
              <span aria-current="page">{name}</span>
            ) : (
              <Button className="quiet" onPress={() => onGo(id)}>
                {name}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
