import { Alert, Button, Modal, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { SPACE_SCOPES } from '../../../routers/api/scopes.ts'
import { rpc } from '../api.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Snippet } from '../ui/CopyButton.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { useLeaveGuard } from '../ui/use-leave-guard.tsx'
import { ConnectionStatus } from './ConnectionStatus.tsx'
import {
  guideByUrl,
  guideWithKey,
  isHosted,
  isLocal,
  programs,
  type ServerChoice,
  servers,
  targetOf,
} from './programs.ts'
import { useConnection } from './use-connection.ts'

/** Lifetime of the key, in days. */
const KEY_DAYS = 90

/** Scopes of the tools that only read. */
const READING = SPACE_SCOPES.filter(scope => scope !== 'files_write')

const KEY_IS_LOST = 'You can’t see the key again. It stays in the list of keys, where you can revoke it.'

const SIGN_INS = [
  { value: 'url', label: 'URL alone' },
  { value: 'key', label: 'URL and key' },
]

/** Connects an agent: the person chooses the program, copies its configuration, and sees it connect. */
export const ConnectAgent = ({ subdomain, onClose }: { subdomain: string; onClose: () => void }) => {
  useFocusReturn()
  const [program, setProgram] = useState(programs[0]!)
  const [server, setServer] = useState<ServerChoice>('standard')
  const [signIn, setSignIn] = useState('url')
  const withKey = signIn === 'key' && !isHosted(program)
  const issue = useMutation({
    // Do not keep the secret in the cache after the dialog is closed.
    gcTime: 0,
    mutationFn: () =>
      rpc.keys.issue.mutate({
        subdomain,
        label: program,
        scopes: servers[server].isReadOnly ? READING : SPACE_SCOPES,
        expires_in_days: KEY_DAYS,
      }),
  })
  const secret = issue.data?.secret
  const waiting = useConnection(subdomain, issue.data?.id)
  const hasArrived = waiting.connection?.state === 'connected' || waiting.connection?.state === 'failing'
  const isAtRisk = secret !== undefined && !hasArrived
  const guard = useLeaveGuard(isAtRisk, { title: 'Leave before the agent has connected?', text: KEY_IS_LOST })
  const [isLeaving, setLeaving] = useState(false)
  const isAsking = isLeaving && isAtRisk
  const close = () => {
    if (!isAtRisk) return onClose()
    // Escape may have called this function. Open the `Confirm` dialog after that event; otherwise the event would close
    // the dialog again.
    setTimeout(() => setLeaving(true))
  }
  const target = targetOf(server)
  const guide = withKey
    ? secret !== undefined && guideWithKey(program, target, secret)
    : guideByUrl(program, target)
  return (
    <>
      <Modal
        opened
        onClose={close}
        title="Connect an agent"
        size="lg"
        centered
        closeOnClickOutside={!isAtRisk}
        // While the question is open, Escape closes only the question.
        closeOnEscape={!isAsking}
      >
        <Stack>
          <NativeSelect
            label="Program"
            data={[...programs]}
            value={program}
            onChange={event => setProgram(event.currentTarget.value)}
            data-autofocus
          />
          <NativeSelect
            label="Tools"
            description={servers[server].text}
            data={Object.entries(servers).map(([value, { label }]) => ({ value, label }))}
            value={server}
            // A key for the read-only tools lacks a permission of the other tools, so they can't be chosen afterwards.
            disabled={secret !== undefined && servers[server].isReadOnly}
            onChange={event => setServer(event.currentTarget.value as ServerChoice)}
          />
          {!isHosted(program) && (
            <SegmentedControl
              fullWidth
              aria-label="How the program signs in"
              data={SIGN_INS}
              value={signIn}
              onChange={setSignIn}
            />
          )}
          {isHosted(program) && isLocal && (
            <Alert
              color="yellow"
              icon={<IconAlertTriangle aria-hidden />}
              title="The program can’t reach this address"
            >
              This program connects from the internet over https. Connect it to a public address of this
              service.
            </Alert>
          )}
          {guide ? (
            <Stack gap="xs">
              <Text size="sm">{guide.how}</Text>
              <Snippet label={`Copy for ${program}`} text={guide.lines} />
              {withKey && secret !== undefined && !guide.lines.includes(secret) && (
                <Snippet label="Key" text={secret} />
              )}
              {guide.alternative && (
                <>
                  <Text size="sm">{guide.alternative.how}</Text>
                  <Snippet label={`File for ${program}`} text={guide.alternative.lines} />
                </>
              )}
              {guide.next !== undefined && <Text size="sm">{guide.next}</Text>}
              {withKey && (
                <Text size="sm" c="dimmed">
                  The key works for {KEY_DAYS} days and is shown only here. Revoke it under Keys at any time.
                </Text>
              )}
            </Stack>
          ) : (
            <Stack gap="xs">
              <Text size="sm">
                For programs that can’t open a browser. The key has{' '}
                {servers[server].isReadOnly ? 'only read permissions' : 'all permissions'} and works for{' '}
                {KEY_DAYS} days.
              </Text>
              <FormFailure error={issue.error} />
              <Button onClick={() => issue.mutate()} loading={issue.isPending}>
                Create key
              </Button>
            </Stack>
          )}
          {guide && (
            <ConnectionStatus
              {...waiting}
              // A new element for each program, so that screen readers announce the status again.
              key={`${program}${withKey}`}
              program={program}
              withKey={withKey}
            />
          )}
          <Button variant={hasArrived ? 'filled' : 'default'} onClick={close}>
            {hasArrived ? 'Done' : 'Close'}
          </Button>
        </Stack>
      </Modal>
      <Confirm
        opened={isAsking}
        onClose={() => setLeaving(false)}
        title="Close before the agent has connected?"
        action="Close and lose the key"
        onConfirm={onClose}
      >
        {KEY_IS_LOST}
      </Confirm>
      {guard}
    </>
  )
}
