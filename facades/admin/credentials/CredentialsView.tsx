import { Button, Center, Group } from '@mantine/core'
import { type Icon, IconPlus } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { FailureView } from '../ui/FailureView.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { LoadingRows } from '../ui/Loading.tsx'
import { Rows } from '../ui/Rows.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { CredentialDialogs, type CredentialDialogsProps } from './CredentialDialogs.tsx'
import { CredentialRow } from './CredentialRow.tsx'
import type { Credential } from './credential.ts'

/** Number of rows to show at first and to add with each click. Rendering hundreds of rows takes seconds. */
const STEP = 50

interface CredentialsViewProps<Item extends Credential, Scope extends string>
  extends Omit<CredentialDialogsProps<Item, Scope>, 'items' | 'onClose' | 'onDone'> {
  title: string
  /** The name of the space whose keys are listed. */
  of?: string
  text: string
  icon: Icon
  /** Shown while the list is empty. */
  picture: string
  query: UseQueryResult<Item[], unknown>
  /** Returns who created an item, and a note such as "Stops working if you leave". */
  describeIssuer?: (item: Item) => { creator: string; stopsIf: string }
  /** Shown while the list is empty: explains what a key or token is for. */
  emptyText: ReactNode
  /** Further actions of an item. */
  furtherActions?: (item: Item) => ReactNode
  /** A link beside the one that creates a key or token. */
  otherLink?: ReactNode
}

/** Lists the keys of a space or the tokens of an account, with the dialogs that create, rotate and revoke them. */
export const CredentialsView = <Item extends Credential, Scope extends string>({
  title,
  of,
  text,
  icon: Icon,
  picture,
  query,
  describeIssuer,
  furtherActions,
  emptyText,
  otherLink,
  ...dialogs
}: CredentialsViewProps<Item, Scope>) => {
  const { noun, scopes } = dialogs
  const { data: items, isPending, isError, error, refetch } = query
  const navigate = useNavigate()
  const now = useNow()
  const newLinkRef = useRef<HTMLAnchorElement>(null)
  const [shown, setShown] = useState(STEP)
  const links = (
    <>
      {otherLink}
      <ButtonLink
        ref={newLinkRef}
        to="."
        search={{ issue: true }}
        resetScroll={false}
        leftSection={<IconPlus size={18} aria-hidden />}
      >
        New {noun}
      </ButtonLink>
    </>
  )
  return (
    <>
      <ViewTitle title={title} {...(of === undefined ? {} : { of })} text={text}>
        {items?.length !== 0 && links}
      </ViewTitle>
      {isPending && <LoadingRows count={3} lines={3} />}
      {isError && <FailureView error={error} retry={() => void refetch()} />}
      {items && (
        <CredentialDialogs
          {...dialogs}
          items={items}
          onClose={() => navigate({ to: '.', search: {}, replace: true, resetScroll: false })}
          onDone={() => focusAfterDialog(newLinkRef)}
        />
      )}
      {items?.length === 0 && (
        <Empty picture={picture} title={`Create your first ${noun}`} text={emptyText}>
          <Group justify="center">{links}</Group>
        </Empty>
      )}
      {items && items.length > 0 && (
        <Rows label={title}>
          {items.slice(0, shown).map(item => (
            <CredentialRow
              key={item.id}
              credential={item}
              now={now}
              icon={<Icon size={20} />}
              scopes={scopes}
              {...describeIssuer?.(item)}
            >
              {furtherActions?.(item)}
            </CredentialRow>
          ))}
        </Rows>
      )}
      {items && items.length > shown && (
        <Center mt="md">
          <Button variant="default" onClick={() => setShown(shown + STEP)}>
            Show older {noun}s
          </Button>
        </Center>
      )}
    </>
  )
}

/** How often the view is rendered again, in ms. */
const INTERVAL = 30_000

/** Returns the current time as `Date.now()` does, and re-renders the view at intervals. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), INTERVAL)
    return () => clearInterval(timer)
  }, [])
  return now
}
