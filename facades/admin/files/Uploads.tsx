import { ActionIcon, Button, Card, Group, Progress, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconFile, IconRefresh, IconX } from '@tabler/icons-react'
import { failureOf } from '../ui/failure.ts'
import { counted, formatBytes } from '../ui/numbers.ts'
import css from './files.module.css'
import { isRunning, type Upload, type UploadQueue } from './upload-queue.ts'
import { UnreadableFileError } from './use-uploads.ts'

/** The list scrolls if it has more uploads than this: while some are running, and once all are done. */
const MAX_UNSCROLLED = 5
const MAX_DONE = 1

const files = (count: number) => counted(count, 'file')

/** The state of all uploads in one line. */
const summaryOf = (uploads: Upload[]): string => {
  const count = (...states: Upload['state'][]) => uploads.filter(({ state }) => states.includes(state)).length
  const running = count('waiting', 'sending')
  const bad = count('failed', 'refused')
  const cancelled = count('cancelled')
  return [
    running > 0 && `Uploading ${files(running)}`,
    count('done') > 0 && `${files(count('done'))} uploaded`,
    bad > 0 && `${files(bad)} not uploaded`,
    cancelled > 0 && `${files(cancelled)} cancelled`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** The share of all bytes that has been sent, from 0 to 1. */
const progressOf = (uploads: Upload[]): number => {
  const counted = uploads.filter(upload => isRunning(upload) || upload.state === 'done')
  const total = counted.reduce((sum, { file }) => sum + file.size, 0)
  return total === 0 ? 0 : counted.reduce((sum, { file, share }) => sum + file.size * share, 0) / total
}

/** Running, finished and failed uploads. */
export const Uploads = ({ uploads, queue }: { uploads: Upload[]; queue: UploadQueue }) => {
  const running = uploads.some(isRunning)
  const summary = summaryOf(uploads)
  const failed = uploads.filter(({ state }) => state === 'failed')
  const isDone = uploads.every(({ state }) => state === 'done')
  return (
    <section aria-label="Uploads" hidden={uploads.length === 0}>
      {/* Announces when an upload starts, finishes or fails, but not every step of its progress. */}
      <VisuallyHidden role="status">{summary}</VisuallyHidden>
      {uploads.length > 0 && (
        <Card withBorder mb="lg" p="md">
          <Group justify="space-between" gap="xs">
            <Text fw={650} size="sm" aria-hidden>
              {summary}
            </Text>
            <Group gap="xs">
              {failed.length > 1 && (
                <Button
                  variant="light"
                  size="compact-sm"
                  onClick={() => {
                    for (const { id } of failed) queue.retry(id)
                  }}
                >
                  Try all again
                </Button>
              )}
              {uploads.length > 1 && running && (
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => {
                    for (const { id } of uploads.filter(isRunning)) queue.cancel(id)
                  }}
                >
                  Cancel all
                </Button>
              )}
              {uploads.some(upload => !isRunning(upload)) && (
                <Button variant="default" size="compact-sm" onClick={queue.clear}>
                  {running ? 'Clear finished' : 'Clear'}
                </Button>
              )}
            </Group>
          </Group>
          {running && uploads.length > 1 && (
            <Progress.Root size="md" mt="xs">
              <Progress.Section value={progressOf(uploads) * 100} aria-label="All uploads" />
            </Progress.Root>
          )}
          {/* A tab stop, so that the list can be scrolled with the keyboard. */}
          <ul
            className={css.uploads}
            data-done={isDone || undefined}
            {...(uploads.length > (isDone ? MAX_DONE : MAX_UNSCROLLED)
              ? { tabIndex: 0, 'aria-label': 'Uploads' }
              : {})}
          >
            {uploads.map(upload => (
              <UploadRow key={upload.id} upload={upload} queue={queue} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  )
}

const percent = (share: number) => `${Math.floor(share * 100)} %`

/** The status text of an upload. */
const statusOf = (upload: Upload): string => {
  const size = formatBytes(upload.file.size)
  switch (upload.state) {
    case 'waiting':
      return `${size}, waiting`
    case 'sending':
      return upload.share < 1 ? `${size}, ${percent(upload.share)}` : `${size}, saving`
    case 'done':
      return upload.replaces ? `${size}, replaced` : `${size}, uploaded`
    case 'cancelled':
      return 'Cancelled'
    case 'failed':
      return uploadErrorMessage(upload.error)
    case 'refused':
      return upload.refusal?.reason ?? ''
  }
}

const ICONS = {
  waiting: <IconFile size={18} />,
  sending: <IconFile size={18} />,
  done: <IconCheck size={18} color="var(--mantine-color-anchor)" />,
  cancelled: <IconX size={18} />,
  failed: <IconAlertTriangle size={18} color="var(--mantine-color-error)" />,
  refused: <IconAlertTriangle size={18} color="var(--mantine-color-error)" />,
}

/** One upload with its progress and actions. */
export const UploadRow = ({ upload, queue }: { upload: Upload; queue: UploadQueue }) => {
  const { id, state, share } = upload
  const name = upload.replaces ? `${upload.replaces.name} (replacement)` : upload.name
  const isBad = state === 'failed' || state === 'refused'
  const canRetry = state === 'cancelled' || (isBad && !upload.refusal?.isFinal)
  return (
    <li className={css.upload} data-state={state}>
      <span className={css.uploadIcon} aria-hidden>
        {ICONS[state]}
      </span>
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm" fw={600} truncate title={name}>
          {name}
        </Text>
        <Text size="sm" c={isBad ? 'var(--mantine-color-error)' : 'dimmed'}>
          {statusOf(upload)}
        </Text>
        {isRunning(upload) && (
          <Progress.Root size="sm" mt={4}>
            <Progress.Section
              value={share * 100}
              aria-label={name}
              aria-valuetext={percent(share)}
              {...(state === 'sending' && share === 1 ? { animated: true, striped: true } : {})}
            />
          </Progress.Root>
        )}
      </div>
      <Group gap={4} wrap="nowrap">
        {canRetry && (
          <Tooltip label="Try again">
            <ActionIcon
              variant="subtle"
              size={32}
              onClick={() => queue.retry(id)}
              aria-label={`Try again: ${name}`}
            >
              <IconRefresh size={18} />
            </ActionIcon>
          </Tooltip>
        )}
        {isRunning(upload) && (
          <Tooltip label="Cancel">
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              onClick={() => queue.cancel(id)}
              aria-label={`Cancel ${name}`}
            >
              <IconX size={18} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
    </li>
  )
}

/** Returns a message that says why an upload failed and what to do. */
export const uploadErrorMessage = (error: unknown): string => {
  if (error instanceof UnreadableFileError)
    return 'The file could not be read because it was moved or changed. Choose it again.'
  const failure = failureOf(error)
  switch (failure.kind) {
    case 'unreachable':
      return navigator.onLine
        ? 'The connection was lost. The file is kept here; try again.'
        : 'You are offline. The file is kept here; try again when you are connected.'
    case 'signed-out':
      return 'Your session has ended. Sign in again in another tab, then try again here.'
    case 'invalid':
      return failure.fields.map(({ message }) => message).join(' ') || failure.title
    case 'not-found':
    case 'refused':
    case 'conflict':
    case 'busy':
      return [failure.title, failure.detail].filter(Boolean).join('. ')
    case 'fault':
      return `Something went wrong on our side. The file is kept here; try again. ${failure.detail ?? ''}`
  }
}
