import { Badge, Code, Group, Stack, Text, Title, Tooltip, VisuallyHidden } from '@mantine/core'
import {
  IconChartBar,
  IconPlugConnected,
  IconPlugConnectedX,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Outputs } from '../api.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { RelativeTime, relativeTime } from '../ui/RelativeTime.tsx'
import { rowButton, rowDanger } from '../ui/RowButton.tsx'
import { Row } from '../ui/Rows.tsx'
import classes from './CredentialRow.module.css'
import { type Credential, type CredentialStatus, isClient, statusOf } from './credential.ts'

interface CredentialRowProps {
  credential: Credential
  now: number
  /** Icon of a credential that a person issued. */
  icon: ReactNode
  /** Descriptions of the scopes. */
  scopes: Readonly<Record<string, string>>
  /** Who created the credential; omitted in lists where that is always the signed-in person. */
  creator?: string
  /** Says what else stops the credential from working, such as its issuer leaving. */
  stopsIf?: string
  /** Further actions. */
  children?: ReactNode
}

/** One key, token or connected app in a list, with its permissions, origin, last use and expiry. */
export const CredentialRow = ({
  credential,
  now,
  icon,
  scopes,
  creator,
  stopsIf,
  children,
}: CredentialRowProps) => {
  const status = statusOf(credential, now)
  const { label, hint, client, created_at, last_used_at, expires_at } = credential
  return (
    <Row
      icon={client ? <IconPlugConnected size={20} /> : icon}
      isPast={status === 'expired'}
      title={<Title order={2}>{label}</Title>}
      badges={
        <>
          {client && (
            <Badge variant="light" tt="none">
              Connected app
            </Badge>
          )}
          <StatusBadge credential={credential} now={now} />
        </>
      }
      text={
        <Stack gap={6}>
          {client ? (
            <ClientOrigin client={client} />
          ) : (
            <Text size="sm" c="dimmed">
              Starts with <Code>{hint}</Code>
            </Text>
          )}
          <Group gap={6} component="ul" className={classes.scopes} aria-label="Permissions">
            {credential.scopes.map(scope => (
              <li key={scope}>
                <Tooltip label={scopes[scope]} events={{ hover: true, focus: true, touch: true }}>
                  <Badge variant="default" tt="none" fw={500} size="md">
                    {scope}
                    <VisuallyHidden> ({scopes[scope]})</VisuallyHidden>
                  </Badge>
                </Tooltip>
              </li>
            ))}
          </Group>
          <Text size="sm" c="dimmed" component="div" className={classes.facts}>
            <span>
              {client ? 'Connected' : 'Created'}
              {creator && ` by ${creator}`} <RelativeTime at={created_at} />
            </span>
            <span>
              {last_used_at === null ? (
                'No use recorded yet'
              ) : (
                <>
                  Last used <RelativeTime at={last_used_at} />
                </>
              )}
            </span>
            {status === 'expiring' && (
              <span>
                Expires <RelativeTime at={expires_at!} />
              </span>
            )}
            {status === 'expired' && (
              <span>
                Expired <RelativeTime at={expires_at!} />
              </span>
            )}
            {status !== 'expired' && stopsIf && <span>{stopsIf}</span>}
          </Text>
        </Stack>
      }
    >
      {children}
      <CredentialActions credential={credential} status={status} />
    </Row>
  )
}

/** Shows what is known about the origin of a connected app. */
export const ClientOrigin = ({
  client,
}: {
  client: NonNullable<Outputs['tokens']['list'][number]['client']>
}) => (
  <Text size="sm" c="dimmed">
    {client.is_command ? (
      <>On a computer, after space login</>
    ) : client.host === null ? (
      <>Unverified name{client.sends_to.length > 0 && `, redirects to ${client.sends_to.join(', ')}`}</>
    ) : (
      <>Name published by {client.host}</>
    )}
  </Text>
)

interface CredentialActionsProps {
  credential: Credential
  status: CredentialStatus
}

/**
 * Links that open the dialogs of a credential: for its usage, and for rotating and revoking it. Connected apps rotate their credentials
 * themselves.
 */
export const CredentialActions = ({ credential, status }: CredentialActionsProps) => {
  const { id, label } = credential
  const isApp = isClient(credential)
  const canRotate = !isApp && status !== 'expired' && status !== 'replaced'
  const revocation = isApp ? 'Disconnect' : status === 'expired' ? 'Delete' : 'Revoke'
  const RevocationIcon = isApp ? IconPlugConnectedX : IconTrash
  const link = { to: '.', resetScroll: false } as const
  return (
    <>
      <ButtonLink
        {...link}
        {...rowButton}
        search={{ usage: id }}
        leftSection={<IconChartBar size={16} aria-hidden />}
        aria-label={`Usage of ${label}`}
      >
        Usage
      </ButtonLink>
      {canRotate && (
        <ButtonLink
          {...link}
          {...rowButton}
          search={{ rotate: id }}
          leftSection={<IconRefresh size={16} aria-hidden />}
          aria-label={`Rotate ${label}`}
        >
          Rotate
        </ButtonLink>
      )}
      <ButtonLink
        {...link}
        {...rowDanger}
        search={{ revoke: id }}
        leftSection={<RevocationIcon size={16} aria-hidden />}
        aria-label={`${revocation} ${label}`}
      >
        {revocation}
      </ButtonLink>
    </>
  )
}

/** Badge for a key or token that has expired, expires soon or was replaced. */
export const StatusBadge = ({ credential, now }: { credential: Credential; now: number }) => {
  const { expires_at } = credential
  switch (statusOf(credential, now)) {
    case 'expired':
      return (
        <Badge color="red" variant="filled" tt="none">
          Expired
        </Badge>
      )
    case 'replaced':
      return (
        <Badge color="yellow" variant="light" c="var(--mantine-color-text)" tt="none">
          Replaced, stops working {relativeTime(expires_at!)}
        </Badge>
      )
    case 'expiring soon':
      return (
        <Badge color="yellow" variant="light" c="var(--mantine-color-text)" tt="none">
          Expires {relativeTime(expires_at!)}
        </Badge>
      )
    case 'expiring':
    case 'permanent':
      return null
  }
}
