import { Alert } from '@mantine/core'
import { TextLink } from '../shell/ButtonLink.tsx'
import { useSpace } from '../use-space.ts'
import type { Change } from './describe.ts'
import { RestoreName } from './RestoreName.tsx'
import type { Restore } from './use-restore.ts'

/** Shows that a version was restored, or why it could not be. If the name is taken, asks for another name. */
export const RestoreStatus = ({ restore, change }: { restore: Restore; change: Change }) => {
  const { subdomain } = useSpace()
  return (
    <>
      {restore.done && (
        <Alert color="leaf" role="status" title="Restored">
          The restore is itself a change in the{' '}
          <TextLink
            to="/spaces/$subdomain/history"
            params={{ subdomain }}
            search={{ kind: change.kind, thing: change.thing }}
          >
            history
          </TextLink>
          , so you can undo it.
        </Alert>
      )}
      <RestoreName restore={restore} change={change} />
    </>
  )
}
