import { t, tMaybe } from '../../copy'
import { KEYS, KEYS_OF_PARTS } from '../keys'

const GROUPS = ['project', 'steps', 'inStep'] as const
const isMac = /mac/i.test(navigator.platform)

/** Every key of the window, by group. */
export function KeysTable() {
  return (
    <div className="keys">
      {GROUPS.map((group) => (
        <section key={group} aria-label={t(`keys.${group}`)}>
          <h3>{t(`keys.${group}`)}</h3>
          <dl>
            {KEYS.filter((key) => key.group === group).map(({ id, keys }) => (
              <Key key={id} words={t(`keys.${id}`)} keys={keys} />
            ))}
            {group === 'inStep' &&
              KEYS_OF_PARTS.map(({ words, keys }) => <Key key={words} words={t(words)} keys={keys} />)}
          </dl>
        </section>
      ))}
    </div>
  )
}

function Key({ words, keys }: { words: string; keys: string }) {
  return (
    <div>
      <dt>{words}</dt>
      <dd>
        {keys.split('+').map((key) => (
          <kbd key={key}>{keyName(key)}</kbd>
        ))}
      </dd>
    </div>
  )
}

function keyName(key: string): string {
  if (key === 'Mod') return isMac ? '⌘' : t('keys.key.Ctrl')
  return tMaybe(`keys.key.${key}`, key)
}
