import { Badge, Card, Code, Group, Stack, Text, Title, Tooltip, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import classes from './CredentialCard.module.css'
import { type Credential, statusOf } from './credential.ts'
import { StatusBadge } from './StatusBadge.tsx'

interface CredentialCardProps {
  credential: Credential
  now: number
  icon: ReactNode
  /** Each scope in plain words. */
  scopes: Readonly<Record<string, string>>
  /** What is particular to it, behind its name. */
  mark?: ReactNode
  /** What is particular to it, in place of the first characters. */
  under?: ReactNode
  /** What it was issued by and when. */
  issued: ReactNode
  /** What else is to be said of its end. */
  ends?: ReactNode
  /** Buttons for what can be done with it. */
  children: ReactNode
}

/** One key, token or client of a list: what it may do, where it comes from, when it was used, and how it ends. */
export const CredentialCard = ({
  credential,
  now,
  icon,
  scopes,
  mark,
  under,
  issued,
  ends,
  children,
}: CredentialCardProps) => {
  const status = statusOf(credential, now)
  const { label, hint, last_used_at, expires_at } = credential
  return (
    <Card component="li" withBorder p="md" className={status === 'ended' ? classes.ended : undefined}>
      <div className={classes.row}>
        <Group gap="sm" wrap="nowrap" align="flex-start" style={{ minWidth: 0 }}>
          <span className={classes.icon} aria-hidden>
            {icon}
          </span>
          <Stack gap={6} style={{ minWidth: 0 }}>
            <Group gap="xs">
              <Title order={2} size="h5" className={classes.label}>
                {label}
              </Title>
              {mark}
              <StatusBadge credential={credential} now={now} />
            </Group>
            {under ?? (
              <Text size="sm" c="dimmed">
                Begins with <Code>{hint}</Code>
              </Text>
            )}
            <Group gap={6} component="ul" className={classes.scopes} aria-label="May">
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
              <span>{issued}</span>
              <span>
                {last_used_at === null ? (
                  'Never used'
                ) : (
                  <>
                    Last used <RelativeTime at={last_used_at} />
                  </>
                )}
              </span>
              {status === 'ending' && (
                <span>
                  Expires <RelativeTime at={expires_at!} />
                </span>
              )}
              {status === 'ended' && (
                <span>
                  Expired <RelativeTime at={expires_at!} />
                </span>
              )}
              {status !== 'ended' && ends && <span>{ends}</span>}
            </Text>
          </Stack>
        </Group>
        <Group gap="xs" className={classes.actions}>
          {children}
        </Group>
      </div>
    </Card>
  )
}
