import { Button, Card, Group, Progress, Text, VisuallyHidden } from '@mantine/core'
import css from './files.module.css'
import { UploadRow } from './UploadRow.tsx'
import { isRunning, type Upload, type UploadQueue } from './upload-queue.ts'

/** The list scrolls if it has more uploads than this. */
const MAX_UNSCROLLED = 5

const files = (count: number) => (count === 1 ? '1 file' : `${count} files`)

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
            {...(uploads.length > MAX_UNSCROLLED ? { tabIndex: 0, 'aria-label': 'Uploads' } : {})}
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
