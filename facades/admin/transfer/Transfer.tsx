import { Button, Checkbox, FileButton, Group, Modal, Progress, ScrollArea, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryClient } from '../api.ts'
import { saveFile } from '../save-file.ts'
import { FailingPages } from '../spaces/FailingPages.tsx'
import { TextLink } from '../ui/ButtonLink.tsx'
import { DialogActions } from '../ui/Confirm.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { formatBytes } from '../ui/numbers.ts'
import { Section } from '../ui/Section.tsx'
import { useRole } from '../use-role.ts'
import { type ImportResult, receiveArchive, sendArchive } from './archive-requests.ts'

/** Exports the space as an archive, and imports an archive. */
export const Transfer = ({ subdomain }: { subdomain: string }) => {
  const isEditor = useRole(subdomain) === 'editor'
  return (
    <Section
      title="Export and import"
      text={`A zip archive with the name and icon of your space, and your pages, parts, data and files. You see what an import changes before it happens.${isEditor ? ' Your imports leave the name and icon as they are.' : ''}`}
    >
      <Group align="flex-start">
        <ExportSpace subdomain={subdomain} />
        <ImportSpace subdomain={subdomain} />
      </Group>
    </Section>
  )
}

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

/** Uploads an archive, shows what it would change, and imports it after confirmation. */
export const ImportSpace = ({ subdomain }: { subdomain: string }) => {
  const [file, setFile] = useState<File | null>(null)
  const [deleteMissing, setDeleteMissing] = useState(false)
  const [fraction, setFraction] = useState(0)
  const [isImported, setImported] = useState(false)
  const send = (wanted: { file: File; deleteMissing: boolean; plan?: string }) => {
    setFraction(0)
    return sendArchive({ subdomain, ...wanted, onSent: setFraction })
  }
  const preview = useMutation({ mutationFn: send })
  const apply = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      close()
      setImported(true)
      notifyImported(subdomain)
      await queryClient.invalidateQueries()
    },
  })
  const isBusy = preview.isPending || apply.isPending
  const close = () => {
    setFile(null)
    preview.reset()
    apply.reset()
  }
  // Keep the dialog open during an import, because the import can't be cancelled. If the person could close the dialog
  // and choose a second archive, the success of the first import would close the dialog of the second archive.
  const cancel = () => {
    if (!apply.isPending) close()
  }
  const look = (chosen: File, missing: boolean) => {
    apply.reset()
    setFile(chosen)
    setDeleteMissing(missing)
    preview.mutate({ file: chosen, deleteMissing: missing })
  }
  const result = preview.data
  return (
    <>
      <FileButton
        accept=".zip,application/zip"
        onChange={chosen => chosen && look(chosen, false)}
        inputProps={{ 'aria-label': 'Archive to import' }}
      >
        {props => (
          <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
            Import archive
          </Button>
        )}
      </FileButton>
      {isImported && <FailingPages subdomain={subdomain} />}
      <Modal opened={file !== null} onClose={cancel} title={`Import ${file?.name ?? ''}`} centered>
        <Stack>
          {isBusy && (
            <Progress.Root>
              <Progress.Section
                value={fraction * 100}
                animated={fraction === 1}
                aria-label={fraction === 1 ? 'Processing the archive' : 'Uploading the archive'}
              />
            </Progress.Root>
          )}
          {result && <PlannedChanges changes={result.changes} />}
          <Checkbox
            label="Also delete items that are not in the archive"
            checked={deleteMissing}
            disabled={isBusy}
            onChange={event => file && look(file, event.currentTarget.checked)}
          />
          <FormFailure error={apply.error ?? preview.error} />
          <DialogActions onCancel={cancel} isBusy={apply.isPending}>
            <Button
              loading={apply.isPending}
              disabled={!result || isBusy || result.changes.length === 0}
              onClick={() => file && result && apply.mutate({ file, deleteMissing, plan: result.plan })}
            >
              Import
            </Button>
          </DialogActions>
        </Stack>
      </Modal>
    </>
  )
}

const ACTIONS = [
  ['add', 'Added'],
  ['change', 'Changed'],
  ['delete', 'Deleted'],
] as const

/** Lists the changes of an import: added, changed and deleted items. */
export const PlannedChanges = ({ changes }: Pick<ImportResult, 'changes'>) => {
  if (changes.length === 0) return <Text>The space already has everything in this archive.</Text>
  return (
    <ScrollArea.Autosize mah="18rem" type="auto" tabIndex={0} role="region" aria-label="Planned changes">
      <Stack gap="sm">
        {ACTIONS.map(([action, title]) => {
          const group = changes.filter(change => change.action === action)
          return (
            group.length > 0 && (
              <div key={action}>
                <Text fw={600} size="sm">
                  {title}: {group.length}
                </Text>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {group.map(({ kind, name }) => `${kind} ${name}`).join(', ')}
                </Text>
              </div>
            )
          )
        })}
      </Stack>
    </ScrollArea.Autosize>
  )
}

/** How long the notification is shown, in ms. People need time to follow its link. */
const SHOWN = 10_000

/** Shows a notification that an archive was imported, with a link to the history, where the import can be undone. */
export const notifyImported = (subdomain: string): void =>
  void notifications.show({
    color: 'leaf',
    autoClose: SHOWN,
    message: (
      <Text size="sm">
        Archive imported. You can undo the import in the{' '}
        <TextLink size="sm" to="/spaces/$subdomain/history" params={{ subdomain }}>
          history
        </TextLink>
        .
      </Text>
    ),
  })
