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

/** The scopes that most scripts need. */
const DEFAULT_SCOPES = ['posts'] as const

/** Lists the person's tokens and connected apps, which are everything that can act on the person's behalf. */
export const Tokens = () => {
  const tokens = useQuery(api.tokens.list.queryOptions())
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const now = useNow()
  const newTokenRef = useRef<HTMLAnchorElement>(null)
  const newTokenLink = (
    <ButtonLink
      ref={newTokenRef}
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
        title="Tokens and apps"
        text="Everything that can act as you: tokens you created, and apps you connected."
      >
        {!isEmpty && newTokenLink}
      </ViewTitle>
      {tokens.isPending && <Loading height={112} rows={3} />}
      {tokens.isError && <FailureView error={tokens.error} retry={() => void tokens.refetch()} />}
      {tokens.data && (
        <CredentialDialogs
          noun="token"
          items={tokens.data}
          search={search}
          scopes={userScopes}
          defaultScopes={DEFAULT_SCOPES}
          labelExample="Blog import"
          issue={values => client.tokens.issue.mutate(values)}
          rotate={(token_id, overlap_seconds) => client.tokens.rotate.mutate({ token_id, overlap_seconds })}
          revoke={token_id => client.tokens.revoke.mutate({ token_id })}
          guides={tokenSnippets}
          refresh={() => queries.invalidateQueries(api.tokens.pathFilter())}
          onClose={() => navigate({ search: {}, replace: true, resetScroll: false })}
          onDone={() => focusAfterDialog(newTokenRef)}
        />
      )}
      {isEmpty && (
        <Empty
          icon={<IconBrackets />}
          title="Create your first token"
          text={
            <>
              With a token, scripts can use{' '}
              <Anchor href={new URL('docs', root).href} underline="always">
                the API
              </Anchor>{' '}
              as you. Agents can{' '}
              <Anchor href={toolServerUrl('user')} underline="always">
                connect
              </Anchor>{' '}
              with a token, or ask for access in your browser.
            </>
          }
        >
          {newTokenLink}
        </Empty>
      )}
      {tokens.data && !isEmpty && (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Tokens and apps">
          {tokens.data.map(item => (
            <TokenCard key={item.id} item={item} now={now} />
          ))}
        </Stack>
      )}
    </>
  )
}
