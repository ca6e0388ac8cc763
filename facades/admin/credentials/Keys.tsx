import { Anchor } from '@mantine/core'
import { IconDeviceLaptop, IconKey, IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { spaceScopes } from '../../../routers/api/scopes.ts'
import picture from '../../shared/illustrations/keys.svg?raw'
import { api, queryClient, root, rpc } from '../api.ts'
import { UndoLink } from '../history/links.tsx'
import { useSession } from '../session.ts'
import { OwnersOnly } from '../spaces/OwnersOnly.tsx'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { useSpace } from '../use-space.ts'
import { ConnectAgent } from './ConnectAgent.tsx'
import { CredentialsView } from './CredentialsView.tsx'
import { keySnippets } from './snippets.ts'
import { WorkFromComputer } from './WorkFromComputer.tsx'

const route = getRouteApi('/signed-in/spaces/$subdomain/keys')

/** The scopes that most scripts need. */
const DEFAULT_SCOPES = ['pages', 'data', 'files'] as const

/** Lists the keys of a space, which let scripts and agents edit it. */
export const Keys = () => (
  <OwnersOnly title="Keys" text="Owners create and revoke keys, and connect agents and apps.">
    <KeysView />
  </OwnersOnly>
)

const KeysView = () => {
  const { subdomain, name } = useSpace()
  const { handle } = useSession()
  const keys = useQuery(api.keys.list.queryOptions({ subdomain }))
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const close = () => void navigate({ search: {}, replace: true, resetScroll: false })
  return (
    <>
      <CredentialsView
        noun="key"
        title="Keys"
        of={name}
        text="Keys let scripts and agents edit this space. Anyone holding a key can do what it allows."
        icon={IconKey}
        picture={picture}
        query={keys}
        search={search.connect || search.computer ? {} : search}
        scopes={spaceScopes}
        defaultScopes={DEFAULT_SCOPES}
        labelExample="Website build"
        issue={values => rpc.keys.issue.mutate({ subdomain, ...values })}
        rotate={(key_id, overlap_seconds) => rpc.keys.rotate.mutate({ subdomain, key_id, overlap_seconds })}
        revoke={key_id => rpc.keys.revoke.mutate({ subdomain, key_id })}
        usage={key_id => rpc.keys.usage.query({ subdomain, key_id })}
        rotationNote={({ issuer }) =>
          issuer === handle
            ? undefined
            : `The new key will be yours: it stops working if you leave the space, not if ${issuer} does.`
        }
        guides={secret => keySnippets(secret, subdomain)}
        refresh={() => queryClient.invalidateQueries(api.keys.pathFilter())}
        describeIssuer={({ issuer }) =>
          issuer === handle
            ? { creator: 'you', stopsIf: 'Stops working if you leave' }
            : { creator: issuer, stopsIf: `Stops working if ${issuer} leaves` }
        }
        furtherActions={({ author_id: author, label }) => (
          <UndoLink subdomain={subdomain} isActor={actor => actor.id === author} label={label} />
        )}
        emptyText={
          <>
            With a key, scripts can use{' '}
            <Anchor href={new URL('docs', root).href} underline="always">
              the API
            </Anchor>
            . Agents can connect with a key. Or they ask for access, and you allow it in your browser.
          </>
        }
        otherLink={
          <>
            <ButtonLink
              to="."
              search={{ connect: true }}
              resetScroll={false}
              variant="default"
              leftSection={<IconPlugConnected size={18} aria-hidden />}
            >
              Connect an agent
            </ButtonLink>
            <ButtonLink
              to="."
              search={{ computer: true }}
              resetScroll={false}
              variant="default"
              leftSection={<IconDeviceLaptop size={18} aria-hidden />}
            >
              Work from your computer
            </ButtonLink>
          </>
        }
      />
      {search.computer && <WorkFromComputer subdomain={subdomain} onClose={close} />}
      {search.connect && <ConnectAgent subdomain={subdomain} onClose={close} />}
    </>
  )
}
