import { ActionIcon, Group, Progress, Text, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconFile, IconRefresh, IconX } from '@tabler/icons-react'
import { formatBytes } from '../feedback/format-bytes.ts'
import css from './files.module.css'
import { uploadErrorMessage } from './upload-error.ts'
import { isRunning, type Upload, type UploadQueue } from './upload-queue.ts'

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
