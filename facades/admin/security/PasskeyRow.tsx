import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFingerprint } from '@tabler/icons-react'
import { api, type Outputs } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { rowButton, rowDanger } from '../shell/RowButton.tsx'
import { Row } from '../shell/Rows.tsx'
import { useConfirmedMutation } from './confirmation.tsx'
import { RenamePasskey } from './RenamePasskey.tsx'

type Passkey = Outputs['passkeys']['list'][number]

/** One row of the list of passkeys. */
export const PasskeyRow = ({ passkey }: { passkey: Passkey }) => {
  const [isRenaming, renaming] = useDisclosure()
  const [isDeleting, deleting] = useDisclosure()
  const remove = useConfirmedMutation(
    api.passkeys.delete.mutationOptions({
      onSuccess: () => {
        deleting.close()
        notifySuccess(`Passkey “${passkey.label}” deleted.`)
      },
    }),
  )
  const { label } = passkey
  return (
    <Row
      icon={<IconFingerprint size={20} />}
      title={label}
      text={
        <>
          Added <RelativeTime at={passkey.created_at} />,{' '}
          {passkey.last_used_at ? (
            <>
              last used <RelativeTime at={passkey.last_used_at} />
            </>
          ) : (
            'not used yet'
          )}
          {passkey.backed_up ? ', synced between devices' : ''}
        </>
      }
    >
      <Button {...rowButton} onClick={renaming.open} aria-label={`Rename ${label}`}>
        Rename
      </Button>
      <Button {...rowDanger} onClick={deleting.open} aria-label={`Delete ${label}`}>
        Delete
      </Button>
      <RenamePasskey passkey={passkey} opened={isRenaming} onClose={renaming.close} />
      <Confirm
        opened={isDeleting}
        onClose={deleting.close}
        title={`Delete ${label}?`}
        action="Delete passkey"
        onConfirm={() => remove.mutate({ passkey_id: passkey.id })}
        mutation={remove}
      >
        You will no longer be able to sign in with it. Your device may keep offering it until you delete it
        there too.
      </Confirm>
    </Row>
  )
}
