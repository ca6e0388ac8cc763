import { Anchor, Stack } from '@mantine/core'
import { IconBrackets, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { userScopes } from '../../../routers/core/scopes.ts'
import { api, client, queries, root } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { focusAfterDialog } from '../feedback/focus-after-dialog.ts'
import { Loading } from '../feedback/Loading.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { CredentialDialogs } from './CredentialDialogs.tsx'
import { tokenSnippets, toolServerUrl } from './snippets.ts'
import { TokenCard } from './TokenCard.tsx'
import { useNow } from './use-now.ts'

const route = getRouteApi('/signed-in/account/tokens')

/** What most programs need. */
const SUGGESTED = ['posts'] as const

/** The tokens of a person and the clients they have connected: everything that acts in their name. */
export const Tokens = () => {
  const tokens = useQuery(api.tokens.list.queryOptions())
  const asked = route.useSearch()
  const navigate = route.useNavigate()
  const now = useNow()
  const newToken = useRef<HTMLAnchorElement>(null)
  const issue = (
    <ButtonLink
      ref={newToken}
      to="/account/tokens"
      search={{ issue: true }}
      resetScroll={false}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      New token
    </ButtonLink>
  )
  const isEmpty = tokens.data?.length === 0
  return (
    <>
      <ViewTitle
        title="Tokens and clients"
        text="Everything that acts in your name: tokens you gave to programs, and clients you connected."
      >
        {!isEmpty && issue}
      </ViewTitle>
      {tokens.isPending && <Loading height={112} rows={3} />}
      {tokens.isError && <FailureView error={tokens.error} retry={() => void tokens.refetch()} />}
      {tokens.data && (
        <CredentialDialogs
          noun="token"
          items={tokens.data}
          asked={asked}
          scopes={userScopes}
          suggested={SUGGESTED}
          labelExample="Blog import"
          issue={values => client.tokens.issue.mutate(values)}
          rotate={(token_id, overlap_seconds) => client.tokens.rotate.mutate({ token_id, overlap_seconds })}
          revoke={token_id => client.tokens.revoke.mutate({ token_id })}
          guides={tokenSnippets}
          refresh={() => queries.invalidateQueries(api.tokens.pathFilter())}
          onClose={() => navigate({ search: {}, replace: true, resetScroll: false })}
          onDone={() => focusAfterDialog(newToken)}
        />
      )}
      {isEmpty && (
        <Empty
          icon={<IconBrackets />}
          title="Let a program act for you"
          text={
            <>
              With a token, scripts use{' '}
              <Anchor href={new URL('docs', root).href} underline="always">
                the API
              </Anchor>{' '}
              as you. Agents{' '}
              <Anchor href={toolServerUrl('user')} underline="always">
                connect
              </Anchor>{' '}
              with one, or ask you in the browser.
            </>
          }
        >
          {issue}
        </Empty>
      )}
      {tokens.data && !isEmpty && (
        <Stack
          component="ul"
          gap="sm"
          p={0}
          m={0}
          style={{ listStyle: 'none' }}
          aria-label="Tokens and clients"
        >
          {tokens.data.map(item => (
            <TokenCard key={item.id} item={item} now={now} />
          ))}
        </Stack>
      )}
    </>
  )
}
