import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { formatBytes } from '../feedback/format-bytes.ts'
import { saveFile } from '../save-file.ts'
import { receiveArchive } from './archive-requests.ts'

/** How much of an archive has been received, in bytes. `total` is the size of the whole archive. */
interface Received {
  loaded: number
  total: number
}

/** Exports a space as a browser download, and shows its progress. */
export const ExportSpace = ({ subdomain }: { subdomain: string }) => {
  const [received, setReceived] = useState<Received | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const exporting = useMutation({
    mutationFn: () => {
      setReceived(null)
      running.current = new AbortController()
      return receiveArchive(
        subdomain,
        (loaded, total) => setReceived({ loaded, total }),
        running.current.signal,
      )
    },
    onSuccess: ({ name, content }) => saveFile(name, content),
  })
  const cancel = () => {
    running.current?.abort()
    exporting.reset()
  }
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={exporting.isPending}
        onClick={() => exporting.mutate()}
      >
        Export space
      </Button>
      {exporting.isPending && <ExportProgress received={received} onCancel={cancel} />}
      {exporting.data && (
        <Text size="sm" role="status">
          Saved as {exporting.data.name} ({formatBytes(exporting.data.content.size)})
        </Text>
      )}
      <FormFailure error={exporting.error} />
    </Stack>
  )
}

const ExportProgress = ({ received, onCancel }: { received: Received | null; onCancel: () => void }) => {
  const share = received ? received.loaded / received.total : 0
  const label = received ? 'Downloading the archive' : 'Creating the archive'
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {label}
          {received ? `: ${formatBytes(received.loaded)} of ${formatBytes(received.total)}` : '…'}
        </Text>
        <Button size="compact-sm" variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
      <Progress.Root>
        <Progress.Section value={received ? share * 100 : 100} animated={!received} aria-label={label} />
      </Progress.Root>
    </>
  )
}
