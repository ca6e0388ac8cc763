import { Button, Modal, Stack, Text } from '@mantine/core'
import { limits } from '../../../routers/api/rules.ts'
import type { Outputs } from '../api.ts'
import { DialogActions } from '../feedback/DialogActions.tsx'
import { BrokenUses, countUses } from './UsedBy.tsx'

interface RenamePartProps {
  part: Outputs['parts']['get']
  /** The new name. */
  name: string
  opened: boolean
  /** Whether the uses of the part are still being loaded. */
  isLoading: boolean
  onClose: () => void
  /** Called to rename the part. `isEverywhere` says whether to replace the name in the pages and parts that use it. */
  onRename: (isEverywhere: boolean) => void
}

/** Asks whether to replace a part's old name in the pages and parts that use it. */
export const RenamePart = ({ part, name, opened, isLoading, onClose, onRename }: RenamePartProps) => {
  const { pages, parts } = part.used_by
  const count = pages.length + parts.length
  const users = countUses(part.used_by)
  // A label that names both pages and parts does not fit on a phone.
  const what = pages.length > 0 && parts.length > 0 ? `${count} items` : users
  const isTooMany = count > limits.renamedUses
  return (
    <Modal opened={opened} onClose={onClose} title={`Rename ${part.name} to ${name}?`} centered>
      <form
        onSubmit={event => {
          event.preventDefault()
          onRename(count > 0 && !isTooMany)
        }}
      >
        <Stack>
          {count === 0 ? (
            <Text size="sm">Nothing uses this part anymore.</Text>
          ) : (
            <div>
              <Text size="sm">
                {users} {count === 1 ? 'uses' : 'use'} this part. If you rename only the part,{' '}
                {count === 1
                  ? 'it shows an error until you update it:'
                  : 'they show an error until you update them:'}
              </Text>
              <BrokenUses uses={part.used_by} />
            </div>
          )}
          {isTooMany && (
            <Text size="sm">A rename can update at most {limits.renamedUses} pages and parts at once.</Text>
          )}
          <DialogActions onCancel={onClose}>
            {count > 0 && (
              <Button variant="default" onClick={() => onRename(false)}>
                Rename only
              </Button>
            )}
            {!isTooMany && (
              <Button type="submit" loading={isLoading} data-autofocus>
                {count === 0 ? 'Rename part' : `Rename and update ${what}`}
              </Button>
            )}
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
