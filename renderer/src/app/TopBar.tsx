import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Segments } from '../components/Segments'
import { t } from '../copy'
import { titleOfRoots } from '../format/paths'
import { useSession } from '../state/sessionContext'
import { useStore } from '../state/store'

const THEMES = ['system', 'light', 'dark'] as const

/** The window's head: what is being worked on, the unit of sizes, the appearance. */
export function TopBar() {
  const session = useSession()
  const { settings } = useStore(session.stores.frame)
  const sources = useStore(session.stores.sources)
  const survey = useStore(session.stores.survey)
  const roots =
    sources.list.length > 0 ? sources.list.map((source) => source.path) : (survey.document?.roots ?? [])
  return (
    <header className="top">
      <span className="brand">
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <path d="M3 3.500h3.600v13H3zM8.200 6.500h3.600v10H8.200z" fill="currentColor" />
          <path d="M13.400 9.500H17v7h-3.600z" fill="var(--accent)" />
        </svg>
        {t('app.name')}
      </span>
      <span className="top-source ellipsis given-name muted" title={titleOfRoots(roots)}>
        {titleOfRoots(roots)}
      </span>
      <span className="row-actions">
        <Segments
          label={t('units.label')}
          all={['decimal', 'binary']}
          chosen={settings.units}
          words={(units) => t(`units.${units}`)}
          spoken={(units) => t(`units.${units}.long`)}
          onChange={(units) => void session.saveSettings({ units })}
        />
        <MenuTrigger>
          <Button className="quiet" aria-label={t('theme.label')}>
            {t(`theme.${settings.theme}`)} <span aria-hidden="true">▾</span>
          </Button>
          <Popover className="popover menu-popover" placement="bottom end">
            <Menu
              className="menu"
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={[settings.theme]}
              onAction={(key) => {
                const theme = THEMES.find((name) => name === key)
                if (theme) void session.saveSettings({ theme })
              }}
            >
              {THEMES.map((theme) => (
                <MenuItem key={theme} id={theme} className="menu-item">
                  {t(`theme.${theme}`)}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      </span>
    </header>
  )
}
