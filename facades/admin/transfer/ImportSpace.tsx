import { Button, Checkbox, FileButton, Modal, Progress, Stack } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../api.ts'
import { DialogActions } from '../feedback/DialogActions.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { sendArchive } from './archive-requests.ts'
import { notifyImported } from './notify-imported.tsx'
import { PlannedChanges } from './PlannedChanges.tsx'

/** Uploads an archive, shows what it would change, and imports it after confirmation. */
export const ImportSpace = ({ subdomain }: { subdomain: string }) => {
  const [file, setFile] = useState<File | null>(null)
  const [deleteMissing, setDeleteMissing] = useState(false)
  const [fraction, setFraction] = useState(0)
  const send = (wanted: { file: File; deleteMissing: boolean; plan?: string }) => {
    setFraction(0)
    return sendArchive({ subdomain, ...wanted, onProgress: setFraction })
  }
  const preview = useMutation({ mutationFn: send })
  const apply = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      close()
      notifyImported(subdomain)
      await queries.invalidateQueries()
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
