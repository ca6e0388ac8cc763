import { Badge, Code, Group, Stack, Text, Title, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { Row } from '../shell/Rows.tsx'
import { ClientOrigin } from './ClientOrigin.tsx'
import { CredentialActions } from './CredentialActions.tsx'
import classes from './CredentialRow.module.css'
import { type Credential, statusOf } from './credential.ts'
import { StatusBadge } from './StatusBadge.tsx'

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
