import { Anchor, Group, Stack } from '@mantine/core'
import { IconKey, IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { spaceScopes } from '../../../routers/core/scopes.ts'
import { ConnectAgent } from '../agents/ConnectAgent.tsx'
import { api, client, queries, root } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { focusAfterDialog } from '../feedback/focus-after-dialog.ts'
import { Loading } from '../feedback/Loading.tsx'
import { useSession } from '../session.ts'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { CredentialDialogs } from './CredentialDialogs.tsx'
import { KeyCard } from './KeyCard.tsx'
import { keySnippets } from './snippets.ts'
import { useNow } from './use-now.ts'

const route = getRouteApi('/signed-in/spaces/$subdomain/keys')

/** The scopes that most scripts need. */
const DEFAULT_SCOPES = ['pages', 'data', 'files'] as const

/** Lists the keys of a space, which let scripts and agents edit it. */
export const Keys = () => {
  const { subdomain, name } = useSpace()
  const { handle } = useSession()
  const keys = useQuery(api.keys.list.queryOptions({ subdomain }))
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const now = useNow()
  const newKeyRef = useRef<HTMLAnchorElement>(null)
  const newKeyLink = (
    <ButtonLink
      ref={newKeyRef}
      to="/spaces/$subdomain/keys"
      params={{ subdomain }}
      search={{ issue: true }}
      resetScroll={false}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      New key
    </ButtonLink>
  )
  const connectLink = (
    <ButtonLink
      to="/spaces/$subdomain/keys"
      params={{ subdomain }}
      search={{ connect: true }}
      resetScroll={false}
      variant="default"
      leftSection={<IconPlugConnected size={18} aria-hidden />}
    >
      Connect an agent
    </ButtonLink>
  )
  const close = () => navigate({ search: {}, replace: true, resetScroll: false })
  const isEmpty = keys.data?.length === 0
  return (
    <>
      <ViewTitle
        title="Keys"
        of={name}
        text="Keys let scripts and agents edit this space. Anyone holding a key can do what it allows."
      >
        {!isEmpty && (
          <>
            {connectLink}
            {newKeyLink}
          </>
        )}
      </ViewTitle>
      {keys.isPending && <Loading height={112} rows={3} />}
      {keys.isError && <FailureView error={keys.error} retry={() => void keys.refetch()} />}
      {keys.data && (
        <CredentialDialogs
          noun="key"
          items={keys.data}
          search={search}
          scopes={spaceScopes}
          defaultScopes={DEFAULT_SCOPES}
          labelExample="Website build"
          issue={values => client.keys.issue.mutate({ subdomain, ...values })}
          rotate={(key_id, overlap_seconds) =>
            client.keys.rotate.mutate({ subdomain, key_id, overlap_seconds })
          }
          revoke={key_id => client.keys.revoke.mutate({ subdomain, key_id })}
          rotationNote={({ issuer }) =>
            issuer === handle
              ? undefined
              : `The new key will be yours: it stops working if you leave the space, not if ${issuer} does.`
          }
          guides={secret => keySnippets(secret, subdomain)}
          refresh={() => queries.invalidateQueries(api.keys.pathFilter())}
          onClose={close}
          onDone={() => focusAfterDialog(newKeyRef)}
        />
      )}
      {search.connect && <ConnectAgent subdomain={subdomain} onClose={() => void close()} />}
      {isEmpty && (
        <Empty
          icon={<IconKey />}
          title="Create your first key"
          text={
            <>
              With a key, scripts can use{' '}
              <Anchor href={new URL('docs', root).href} underline="always">
                the API
              </Anchor>
              . Agents can connect with a key, or ask for access in your browser.
            </>
          }
        >
          <Group justify="center">
            {connectLink}
            {newKeyLink}
          </Group>
        </Empty>
      )}
      {keys.data && !isEmpty && (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Keys">
          {keys.data.map(item => (
            <KeyCard key={item.id} item={item} now={now} isOwn={item.issuer === handle} />
          ))}
        </Stack>
      )}
    </>
  )
}
