import { Alert, Group, List, Loader, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { root } from '../api.ts'
import { failureOf } from '../ui/failure.ts'
import { counted } from '../ui/numbers.ts'
import type { Connection } from './connection.ts'

/** Explains why a program's calls are refused, by error code. */
const PROBLEMS: Readonly<Record<string, string>> = {
  insufficient_scope:
    'Its last call needed a permission that it doesn’t have. Connect it again and select that permission.',
  rate_limited: 'It makes more calls per minute than allowed. It can continue in a moment.',
  foreign_origin:
    'It runs in a web page and sends a key, which is refused. Connect it with the URL alone: it then signs in through your browser.',
}

interface ConnectionStatusProps {
  connection: Connection | null
  error: unknown
  isLate: boolean
  program: string
  withKey: boolean
}

/** Shows the state of the connection, and what to check if nothing happens. */
export const ConnectionStatus = ({ connection, error, isLate, program, withKey }: ConnectionStatusProps) => (
  <div role="status">
    {error ? (
      <Warning title={failureOf(error).title}>
        The dashboard can’t see whether the program has connected, but keeps checking.
      </Warning>
    ) : (
      <State connection={connection} isLate={isLate} program={program} withKey={withKey} />
    )}
  </div>
)

const State = ({ connection, isLate, program, withKey }: Omit<ConnectionStatusProps, 'error'>) => {
  switch (connection?.state) {
    case 'connected': {
      const { tools } = connection
      return tools > 0 ? (
        <Alert
          color="leaf"
          icon={<IconCircleCheck aria-hidden />}
          title={`Connected: ${connection.program}, ${counted(tools, 'tool')}`}
        >
          Ask it to build something. Its changes appear in the history, where you can undo them.
        </Alert>
      ) : (
        <Warning title={`Connected: ${connection.program}, no tools`}>{PROBLEMS.insufficient_scope}</Warning>
      )
    }
    case 'failing':
      return (
        <Warning title={`${connection.program} has connected, but a call was refused`}>
          {PROBLEMS[connection.problem] ?? `The error code is ${connection.problem}.`}
        </Warning>
      )
    case 'refused':
      return (
        <Warning title="A key was refused">
          A program sent a key that begins with {connection.hint} but is not complete. Copy it again, without
          spaces or line breaks.
        </Warning>
      )
    case 'approved':
      return (
        <Progress text={`You approved ${connection.program}. Waiting for its first call…`}>
          {isLate && <Text size="sm">Go back to the program: it may be waiting for you.</Text>}
        </Progress>
      )
    case 'waiting':
      return (
        <Progress text="Waiting for the first call…">
          {isLate && <Checklist program={program} withKey={withKey} />}
        </Progress>
      )
    case undefined:
      return <Progress text="Preparing…" />
  }
}

const Progress = ({ text, children }: { text: string; children?: ReactNode }) => (
  <Stack gap="xs">
    <Group gap="sm" wrap="nowrap">
      <Loader size="sm" aria-hidden />
      <Text size="sm" fw={600}>
        {text}
      </Text>
    </Group>
    {children}
  </Stack>
)

/** What to check when no call arrives. */
const Checklist = ({ program, withKey }: { program: string; withKey: boolean }) => (
  <div>
    <Text size="sm">No call has arrived yet. Check this:</Text>
    <List size="sm" mt={4}>
      {withKey ? (
        <List.Item>You copied the whole key, and restarted the program after adding the key.</List.Item>
      ) : (
        <List.Item>The program has opened your browser, and you chose this space and approved.</List.Item>
      )}
      <List.Item>
        {program} can reach {root.host}, and shows no error of its own.
      </List.Item>
    </List>
  </div>
)

const Warning = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={title}>
    {children}
  </Alert>
)
