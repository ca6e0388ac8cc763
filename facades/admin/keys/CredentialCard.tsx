import { Badge, Card, Code, Group, Stack, Text, Title, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { CardActions } from './CardActions.tsx'
import { ClientOrigin } from './ClientOrigin.tsx'
import classes from './CredentialCard.module.css'
import { type Credential, statusOf } from './credential.ts'
import { StatusBadge } from './StatusBadge.tsx'

interface CredentialCardProps {
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

/** One key, token or client in a list, with its permissions, origin, last use and expiry. */
export const CredentialCard = ({
  credential,
  now,
  icon,
  scopes,
  creator,
  stopsIf,
  children,
}: CredentialCardProps) => {
  const status = statusOf(credential, now)
  const { label, hint, client, created_at, last_used_at, expires_at } = credential
  return (
    <Card component="li" withBorder p="md" className={status === 'expired' ? classes.expired : undefined}>
      <div className={classes.row}>
        <Group gap="sm" wrap="nowrap" align="flex-start" style={{ minWidth: 0 }}>
          <span className={classes.icon} aria-hidden>
            {client ? <IconPlugConnected size={20} /> : icon}
          </span>
          <Stack gap={6} style={{ minWidth: 0 }}>
            <Group gap="xs">
              <Title order={2} size="h5" className={classes.label}>
                {label}
              </Title>
              {client && (
                <Badge variant="light" tt="none">
                  Connected app
                </Badge>
              )}
              <StatusBadge credential={credential} now={now} />
            </Group>
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
        </Group>
        <Group gap="xs" className={classes.actions}>
          {children}
          <CardActions credential={credential} status={status} />
        </Group>
      </div>
    </Card>
  )
}
