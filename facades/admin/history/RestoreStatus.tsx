import { Alert, Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FailingPages } from '../spaces/FailingPages.tsx'
import { TextLink } from '../ui/ButtonLink.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf, fieldErrors } from '../ui/failure.ts'
import { useSpace } from '../use-space.ts'
import type { Change } from './describe.ts'
import type { Restore } from './use-restore.ts'

/** Shows that a version was restored, or why it could not be. If the name is taken, asks for another name. */
export const RestoreStatus = ({ restore, change }: { restore: Restore; change: Change }) => {
  const { subdomain } = useSpace()
  return (
    <>
      {restore.done && <FailingPages subdomain={subdomain} />}
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

const NAME = ['name']

/** Shows why a restore failed. If the name is taken, asks for another name. */
export const RestoreName = ({ restore, change }: { restore: Restore; change: Change }) => {
  const [name, setName] = useState('')
  const { needsName, error } = restore
  if (!needsName) return <FormFailure error={error} />
  return (
    <Alert color="yellow" title={`Another ${change.kind} has this name now`}>
      <form
        onSubmit={event => {
          event.preventDefault()
          restore.runAs(name)
        }}
      >
        <Group align="flex-start">
          <TextInput
            label={change.kind === 'page' ? 'New slug' : 'New name'}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            error={error ? fieldErrors(failureOf(error), NAME).name : undefined}
            required
            autoCapitalize="none"
            spellCheck={false}
            style={{ flex: '1 1 14rem' }}
          />
          <Button type="submit" mt={25} loading={restore.isPending} disabled={name.trim() === ''}>
            Restore under this name
          </Button>
        </Group>
        <FormFailure error={error} names={NAME} />
      </form>
    </Alert>
  )
}
