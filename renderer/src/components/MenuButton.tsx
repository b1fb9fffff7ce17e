import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { t } from '../copy'

/**
 * A button that opens a list: of which one is chosen, or of things to do where `chosen` is left
 * out.
 */
export function MenuButton<T extends string>({
  label,
  name,
  className = 'plain',
  placement = 'bottom end',
  all,
  chosen,
  words,
  onPick,
}: {
  /** Says to screen readers which choice the button shows. */
  label?: string
  name: string
  className?: 'plain' | 'quiet' | 'words'
  placement?: 'bottom end' | 'bottom start'
  all: readonly T[]
  chosen?: T
  words: (id: T) => string
  onPick: (id: T) => void
}) {
  return (
    <MenuTrigger>
      <Button
        className={className}
        {...(label !== undefined && { 'aria-label': t('menu.named', { label, name }) })}
      >
        {name} <span aria-hidden="true">▾</span>
      </Button>
      <Popover className="popover" placement={placement}>
        <Menu
          className={chosen === undefined ? 'menu acts' : 'menu'}
          aria-label={label ?? name}
          {...(chosen !== undefined && {
            selectionMode: 'single',
            disallowEmptySelection: true,
            selectedKeys: [chosen],
          })}
          onAction={(key) => {
            const picked = all.find((id) => id === key)
            if (picked !== undefined) onPick(picked)
          }}
        >
          {all.map((id) => (
            <MenuItem key={id} id={id} className="menu-item">
              {words(id)}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
