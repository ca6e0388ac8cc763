import { Alert, Stack, Tabs, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Guide } from '../../shared/connect.ts'
import { ConfirmationProvider, useConfirmedMutation } from '../security/confirmation.tsx'
import { Snippet } from '../ui/CopyButton.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { SecretDialog } from '../ui/SecretDialog.tsx'
import type { Credential, Noun } from './credential.ts'
import { IssueDialog, type NewCredential } from './IssueDialog.tsx'
import { RevokeDialog } from './RevokeDialog.tsx'
import { describeOverlap, type Overlap, RotateDialog } from './RotateDialog.tsx'
import { UsageDialog, type UsageFigures } from './UsageDialog.tsx'

interface Issued {
  label: string
  secret: string
}

/** Props of {@link CredentialDialogs}. */
export interface CredentialDialogsProps<Item extends Credential, Scope extends string> {
  noun: Noun
  items: readonly Item[]
  /** Search parameters that open a dialog. */
  search: { issue?: true; rotate?: string; revoke?: string; usage?: string }
  /** All scopes with their descriptions. */
  scopes: Readonly<Record<Scope, string>>
  /** Scopes selected by default. */
  defaultScopes: readonly Scope[]
  labelExample: string
  issue: (values: NewCredential<Scope>) => Promise<Issued>
  rotate: (id: string, overlap: Overlap) => Promise<Issued>
  revoke: (id: string) => Promise<unknown>
  usage: (id: string) => Promise<UsageFigures>
  /** Returns a note about other effects of rotating this key or token. */
  rotationNote?: (item: Item) => string | undefined
  guides: (secret: string) => Guide[]
  /** Refetches the list. */
  refresh: () => Promise<unknown>
  /** Removes the search parameters, which closes the dialog. */
  onClose: () => Promise<unknown>
  /** Called after a change, when the button that opened the dialog may no longer exist. */
  onDone: () => void
}

/** Dialogs for creating, rotating and revoking keys or tokens, and for their usage. */
export const CredentialDialogs = <Item extends Credential, Scope extends string>(
  props: CredentialDialogsProps<Item, Scope>,
) => (
  <ConfirmationProvider>
    <OpenDialog {...props} />
  </ConfirmationProvider>
)

/** The dialog that the search parameters open, if any. */
const OpenDialog = <Item extends Credential, Scope extends string>({
  noun,
  items,
  search,
  scopes,
  defaultScopes,
  labelExample,
  rotationNote,
  guides,
  refresh,
  onClose,
  onDone,
  ...calls
}: CredentialDialogsProps<Item, Scope>) => {
  const [newSecret, setNewSecret] = useState<(Issued & { note?: string }) | null>(null)
  // Only the dialog keeps the secret. If the response was lost, the refetched list shows whether a credential was
  // created.
  const secretOptions = { gcTime: 0, onSettled: () => void refresh() }
  const issue = useConfirmedMutation({
    ...secretOptions,
    mutationFn: calls.issue,
    onSuccess: async ({ label, secret }) => {
      await onClose()
      setNewSecret({ label, secret })
    },
  })
  const rotate = useConfirmedMutation({
    ...secretOptions,
    mutationFn: ({ id, overlap }: { id: string; overlap: Overlap }) => calls.rotate(id, overlap),
    onSuccess: async ({ label, secret }, { overlap }) => {
      await onClose()
      setNewSecret({ label, secret, note: `The old ${noun} stops working ${describeOverlap(overlap)}.` })
    },
  })
  const revoke = useMutation({
    mutationFn: ({ id }: { id: string; message: string }) => calls.revoke(id),
    onSuccess: async (_, { message }) => {
      await refresh()
      await onClose()
      onDone()
      notifySuccess(message)
    },
  })
  const cancel = () => {
    for (const { reset } of [issue, rotate, revoke]) reset()
    void onClose()
  }

  if (newSecret)
    return (
      <NewSecret
        noun={noun}
        {...newSecret}
        guides={guides(newSecret.secret)}
        onSaved={() => {
          setNewSecret(null)
          issue.reset()
          rotate.reset()
          onDone()
        }}
      />
    )
  if (search.issue)
    return (
      <IssueDialog
        noun={noun}
        scopes={scopes}
        defaultScopes={defaultScopes}
        labelExample={labelExample}
        onIssue={issue.mutate}
        isPending={issue.isPending}
        error={issue.error}
        onClose={cancel}
      />
    )
  const id = search.rotate ?? search.revoke ?? search.usage
  if (id === undefined) return null
  const item = items.find(item => item.id === id)
  if (!item) return <CredentialNotFound noun={noun} onClose={cancel} />
  if (search.usage !== undefined)
    return <UsageDialog noun={noun} credential={item} read={() => calls.usage(id)} onClose={cancel} />
  return search.rotate === undefined ? (
    <RevokeDialog
      noun={noun}
      credential={item}
      onRevoke={message => revoke.mutate({ id, message })}
      refresh={refresh}
      mutation={revoke}
      onClose={cancel}
    />
  ) : (
    <RotateDialog
      noun={noun}
      credential={item}
      note={rotationNote?.(item)}
      onRotate={overlap => rotate.mutate({ id, overlap })}
      isPending={rotate.isPending}
      error={rotate.error}
      onClose={cancel}
    />
  )
}

/** Shown when a link names a key or token that is not in the list. */
export const CredentialNotFound = ({ noun, onClose }: { noun: Noun; onClose: () => void }) => (
  <Alert
    color="gray"
    icon={<IconInfoCircle aria-hidden />}
    title={`This ${noun} no longer exists`}
    withCloseButton
    closeButtonLabel="Close"
    onClose={onClose}
    mb="md"
    role="status"
  >
    It has been revoked, so it no longer works.
  </Alert>
)

interface NewSecretProps {
  noun: Noun
  label: string
  secret: string
  /** Extra information, such as when the replaced key stops working. */
  note?: string | undefined
  guides: Guide[]
  onSaved: () => void
}

/** Shows a new key or token once, with snippets for the programs that will use it. */
export const NewSecret = ({ noun, label, secret, note, guides, onSaved }: NewSecretProps) => (
  <SecretDialog opened what={noun} title={`Your new ${noun} “${label}”`} onSaved={onSaved}>
    <Snippet label={noun === 'key' ? 'Key' : 'Token'} text={secret} />
    {note && <Text size="sm">{note}</Text>}
    <Tabs defaultValue="0" variant="default" keepMounted={false}>
      <Tabs.List aria-label={`Ways to use the ${noun}`}>
        {guides.map(({ program }, index) => (
          <Tabs.Tab key={program} value={String(index)} px="sm">
            {program}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {guides.map(({ program, how, lines, alternative }, index) => (
        <Tabs.Panel key={program} value={String(index)} pt="sm">
          <Stack gap="xs">
            <Text size="sm">{how}</Text>
            <Snippet label={`Snippet for ${program}`} text={lines} />
            {alternative && (
              <>
                <Text size="sm">{alternative.how}</Text>
                <Snippet label={`File for ${program}`} text={alternative.lines} />
              </>
            )}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  </SecretDialog>
)
