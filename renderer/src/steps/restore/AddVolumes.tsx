import { Button } from 'react-aria-components'
import { t } from '../../copy'
import { useUnitWord } from './useUnitWord'

/** Asks for discs, images or the folder of a plan. */
export function AddVolumes({
  isPrimary = false,
  isDisabled = false,
  onAdd,
}: {
  isPrimary?: boolean
  isDisabled?: boolean
  onAdd: (kind: 'folders' | 'images') => void
}) {
  const unit = useUnitWord()
  return (
    <div className="row-actions">
      <Button
        className={isPrimary ? 'primary' : 'plain'}
        isDisabled={isDisabled}
        onPress={() => onAdd('folders')}
      >
        {t('restore.folders', { unit })}
      </Button>
      <Button className="plain" isDisabled={isDisabled} onPress={() => onAdd('images')}>
        {t('restore.images')}
      </Button>
    </div>
  )
}
