import { Anchor } from '@mantine/core'
import { IconBrackets } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { userScopes } from '../../../routers/api/scopes.ts'
import picture from '../../shared/illustrations/tokens.svg?raw'
import { api, queryClient, root, rpc } from '../api.ts'
import { CredentialsView } from './CredentialsView.tsx'
import { tokenSnippets, toolServerUrl } from './snippets.ts'

const route = getRouteApi('/signed-in/account/tokens')

/** The scopes that most scripts need. */
const DEFAULT_SCOPES = ['posts'] as const

/** Lists the person's tokens and connected apps, which can act on the person's behalf. */
export const Tokens = () => {
  const tokens = useQuery(api.tokens.list.queryOptions())
  const search = route.useSearch()
  return (
    <CredentialsView
      noun="token"
      title="Tokens and apps"
      text="Everything that can act as you: tokens you created, and apps you connected."
      icon={IconBrackets}
      picture={picture}
      query={tokens}
      search={search}
      scopes={userScopes}
      defaultScopes={DEFAULT_SCOPES}
      labelExample="Blog import"
      issue={values => rpc.tokens.issue.mutate(values)}
      rotate={(token_id, overlap_seconds) => rpc.tokens.rotate.mutate({ token_id, overlap_seconds })}
      revoke={token_id => rpc.tokens.revoke.mutate({ token_id })}
      usage={token_id => rpc.tokens.usage.query({ token_id })}
      guides={tokenSnippets}
      refresh={() => queryClient.invalidateQueries(api.tokens.pathFilter())}
      emptyText={
        <>
          With a token, scripts can use{' '}
          <Anchor href={new URL('docs', root).href} underline="always">
            the API
          </Anchor>{' '}
          as you. Agents can{' '}
          <Anchor href={toolServerUrl('user')} underline="always">
            connect
          </Anchor>{' '}
          with a token. Or they ask for access, and you allow it in your browser.
        </>
      }
    />
  )
}
