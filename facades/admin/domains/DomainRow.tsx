import { Anchor, Badge, Button, Code, Stack, Text } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowDanger } from '../ui/RowButton.tsx'
import { Row } from '../ui/Rows.tsx'
import { badgeOf, nameOf, type OwnDomain, sentencesOf } from './describe-domain.ts'

interface DomainRowProps {
  subdomain: string
  domain: OwnDomain
  onRemove: () => void
}

/** A domain: what it is used for, what is missing, and the records to set. */
export const DomainRow = ({ subdomain, domain, onRemove }: DomainRowProps) => {
  const badge = badgeOf(domain)
  const shown = nameOf(domain)
  const isBase = domain.name === domain.base
  const isUsable = domain.state === 'ready' || domain.state === 'main'
  const onError = notifyFailure
  const choose = useMutation(api.domains.choose.mutationOptions({ onError }))
  const check = useMutation(api.domains.check.mutationOptions({ onError }))
  const input = { subdomain, domain: domain.name }
  return (
    <Row
      icon={<IconWorld size={20} />}
      title={isUsable ? <Anchor href={domain.url}>{shown}</Anchor> : shown}
      badges={
        <Badge variant="light" tt="none" color={badge.color} c="var(--mantine-color-text)">
          {badge.label}
        </Badge>
      }
      text={
        <>
          <div role="status">
            {sentencesOf(domain).map(sentence => (
              <div key={sentence}>{sentence}</div>
            ))}
          </div>
          {domain.ends_at !== null && (
            <div>
              {domain.state === 'pending' ? 'Dropped' : 'Switched off'} <RelativeTime at={domain.ends_at} />{' '}
              if nothing changes.
            </div>
          )}
          {domain.state === 'pending' && domain.is_chosen && <div>Becomes the main address then.</div>}
          {(domain.state === 'pending' || domain.ends_at !== null) && <DnsRecords records={domain.records} />}
          {domain.checked_at !== null && (
            <Text size="xs" mt={4}>
              Checked <RelativeTime at={domain.checked_at} />
            </Text>
          )}
        </>
      }
    >
      {!domain.is_chosen && (
        <Button
          variant="default"
          size="compact-sm"
          loading={choose.isPending}
          onClick={() => choose.mutate(input)}
          aria-label={`Make main: ${domain.name}`}
        >
          Make main
        </Button>
      )}
      {!isUsable && isBase && (
        <Button
          variant="default"
          size="compact-sm"
          loading={check.isPending}
          onClick={() => check.mutate(input)}
          aria-label={`Check now: ${domain.name}`}
        >
          Check now
        </Button>
      )}
      {isBase && (
        <Button {...rowDanger} onClick={onRemove} aria-label={`Remove ${domain.name}`}>
          Remove
        </Button>
      )}
    </Row>
  )
}

interface RemoveDomainProps {
  subdomain: string
  domain: OwnDomain
  onClose: () => void
  onRemoved: () => void
}

/** Asks for confirmation before a domain is removed. It stays open if the domain leaves the list. */
export const RemoveDomain = ({ subdomain, domain, onClose, onRemoved }: RemoveDomainProps) => {
  useFocusReturn()
  const remove = useMutation(
    api.domains.remove.mutationOptions({
      onSuccess: () => {
        onClose()
        onRemoved()
        notifySuccess('Domain removed.')
      },
    }),
  )
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Remove domain?"
      action="Remove domain"
      onConfirm={() => remove.mutate({ subdomain, domain: domain.name })}
      mutation={remove}
    >
      <Text>Links to {nameOf(domain)} and its www. name will no longer lead to your site.</Text>
    </Confirm>
  )
}

/** The DNS records to set, each with a button that copies its value. */
export const DnsRecords = ({ records }: Pick<OwnDomain, 'records'>) => (
  <Stack gap="xs" mt="xs" component="ul" aria-label="DNS records to set" p={0} style={{ listStyle: 'none' }}>
    {records.map(({ type, name, value }) => (
      <li key={`${type} ${value}`}>
        <Text size="sm" c="var(--mantine-color-text)">
          <b>{type}</b> <Code style={{ overflowWrap: 'anywhere' }}>{name}</Code>
        </Text>
        <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>{' '}
        <CopyButton value={value} what={`value of the ${type} record of ${name}`} size="compact-xs" />
      </li>
    ))}
  </Stack>
)
