import { Button, Card, Group, Progress, Text, VisuallyHidden } from '@mantine/core'
import css from './files.module.css'
import { UploadRow } from './UploadRow.tsx'
import { isRunning, type Upload, type UploadQueue } from './upload-queue.ts'

/** Uploads that are shown without scrolling. */
const SHORT = 5

const files = (count: number) => (count === 1 ? '1 file' : `${count} files`)

/** Where all uploads stand together, in one line. */
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

/** Bytes that are there, as a share of all that are to be. */
const shareOf = (uploads: Upload[]): number => {
  const counted = uploads.filter(upload => isRunning(upload) || upload.state === 'done')
  const total = counted.reduce((sum, { file }) => sum + file.size, 0)
  return total === 0 ? 0 : counted.reduce((sum, { file, share }) => sum + file.size * share, 0) / total
}

/** The files that are being sent, and those that could not be. */
export const Uploads = ({ uploads, queue }: { uploads: Upload[]; queue: UploadQueue }) => {
  const running = uploads.some(isRunning)
  const summary = summaryOf(uploads)
  const failed = uploads.filter(({ state }) => state === 'failed')
  return (
    <section aria-label="Uploads" hidden={uploads.length === 0}>
      {/* Heard when a file comes, ends or fails; how far each is can be looked up and is not called out. */}
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
              <Progress.Section value={shareOf(uploads) * 100} aria-label="All uploads" />
            </Progress.Root>
          )}
          {/* A long list is scrolled through, by keyboard too. */}
          <ul
            className={css.uploads}
            {...(uploads.length > SHORT ? { tabIndex: 0, 'aria-label': 'Files on their way' } : {})}
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
