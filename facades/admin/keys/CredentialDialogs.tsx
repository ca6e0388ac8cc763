import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Guide } from '../../shared/connect.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { CredentialNotFound } from './CredentialNotFound.tsx'
import type { Credential, Noun } from './credential.ts'
import { IssueDialog, type NewCredential } from './IssueDialog.tsx'
import { NewSecret } from './NewSecret.tsx'
import { RevokeDialog } from './RevokeDialog.tsx'
import { type Overlap, overlapInWords, RotateDialog } from './RotateDialog.tsx'

interface Issued {
  label: string
  secret: string
}

interface CredentialDialogsProps<Item extends Credential, Scope extends string> {
  noun: Noun
  items: readonly Item[]
  /** What the address asks for. */
  asked: { issue?: true; rotate?: string; revoke?: string }
  /** Each scope there is, in plain words. */
  scopes: Readonly<Record<Scope, string>>
  /** Scopes that are chosen in the beginning. */
  suggested: readonly Scope[]
  labelExample: string
  issue: (values: NewCredential<Scope>) => Promise<Issued>
  rotate: (id: string, overlap: Overlap) => Promise<Issued>
  revoke: (id: string) => Promise<unknown>
  /** What changes beside the secret when this one is rotated. */
  rotationNote?: (item: Item) => string | undefined
  guides: (secret: string) => Guide[]
  /** Lets the list be read anew. */
  refresh: () => Promise<unknown>
  /** Takes what is asked out of the address. */
  onClose: () => Promise<unknown>
  /** Called when something was done and what opened the dialog may be gone. */
  onDone: () => void
}

/** What can be done with keys or tokens: issue one, rotate one, revoke one. */
export const CredentialDialogs = <Item extends Credential, Scope extends string>({
  noun,
  items,
  asked,
  scopes,
  suggested,
  labelExample,
  rotationNote,
  guides,
  refresh,
  onClose,
  onDone,
  ...calls
}: CredentialDialogsProps<Item, Scope>) => {
  const [fresh, setFresh] = useState<(Issued & { note?: string }) | null>(null)
  // Nothing but the dialog keeps a secret; and where no answer came, the list tells whether there is one more.
  const secretly = { gcTime: 0, onSettled: () => void refresh() }
  const issue = useMutation({
    ...secretly,
    mutationFn: calls.issue,
    onSuccess: async ({ label, secret }) => {
      await onClose()
      setFresh({ label, secret })
    },
  })
  const rotate = useMutation({
    ...secretly,
    mutationFn: ({ id, overlap }: { id: string; overlap: Overlap }) => calls.rotate(id, overlap),
    onSuccess: async ({ label, secret }, { overlap }) => {
      await onClose()
      setFresh({ label, secret, note: `The old ${noun} stops ${overlapInWords(overlap)}.` })
    },
  })
  const revoke = useMutation({
    mutationFn: ({ id }: { id: string; done: string }) => calls.revoke(id),
    onSuccess: async (_, { done }) => {
      await refresh()
      await onClose()
      onDone()
      notifySuccess(done)
    },
  })
  const cancel = () => {
    for (const { reset } of [issue, rotate, revoke]) reset()
    void onClose()
  }

  if (fresh)
    return (
      <NewSecret
        noun={noun}
        {...fresh}
        guides={guides(fresh.secret)}
        onSaved={() => {
          setFresh(null)
          issue.reset()
          rotate.reset()
          onDone()
        }}
      />
    )
  if (asked.issue)
    return (
      <IssueDialog
        noun={noun}
        scopes={scopes}
        suggested={suggested}
        labelExample={labelExample}
        onIssue={issue.mutate}
        isPending={issue.isPending}
        error={issue.error}
        onClose={cancel}
      />
    )
  const id = asked.rotate ?? asked.revoke
  if (id === undefined) return null
  const item = items.find(item => item.id === id)
  if (!item) return <CredentialNotFound noun={noun} onClose={cancel} />
  return asked.rotate === undefined ? (
    <RevokeDialog
      noun={noun}
      credential={item}
      onRevoke={done => revoke.mutate({ id, done })}
      isPending={revoke.isPending}
      error={revoke.error}
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
