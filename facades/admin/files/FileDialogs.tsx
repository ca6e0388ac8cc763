import { Alert, Button, FileButton, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconFile, IconInfoCircle } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { api, type Outputs, queryClient } from '../api.ts'
import { notifyDeleted } from '../history/notify-deleted.tsx'
import { TextLink } from '../ui/ButtonLink.tsx'
import { Confirm, DialogActions } from '../ui/Confirm.tsx'
import { FailureView } from '../ui/FailureView.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { formatBytes } from '../ui/numbers.ts'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { useSpace } from '../use-space.ts'
import type { FileTask } from './FileActions.tsx'

interface FileDialogsProps {
  task: FileTask
  file: Outputs['files']['get']
  onClose: () => void
  onReplace: (content: File) => void
  onDeleted: () => void
}

/** Shows the dialog for an action on a file. */
export const FileDialogs = ({ task, file, onClose, onReplace, onDeleted }: FileDialogsProps) => {
  if (task === 'rename') return <RenameFile file={file} onClose={onClose} />
  if (task === 'uses') return <FileUses file={file} onClose={onClose} />
  if (task === 'replace')
    return (
      <ReplaceFile
        file={file}
        onClose={onClose}
        onReplace={content => {
          onReplace(content)
          onClose()
        }}
      />
    )
  return <DeleteFile file={file} onClose={onClose} onDeleted={onDeleted} />
}

interface DeleteFileProps {
  file: Outputs['files']['get']
  onClose: () => void
  onDeleted: () => void
}

/** Asks before a file is deleted. */
export const DeleteFile = ({ file, onClose, onDeleted }: DeleteFileProps) => {
  const { subdomain } = useSpace()
  const remove = useMutation(
    api.files.delete.mutationOptions({
      onSuccess: () => {
        queryClient.setQueryData(
          api.files.list.queryKey({ subdomain }),
          list =>
            list && {
              data: list.data.filter(({ id }) => id !== file.id),
              // Subtract the size now, so that an upload can use the freed storage immediately.
              storage: { ...list.storage, used: list.storage.used - file.size },
            },
        )
        notifyDeleted({ subdomain, kind: 'file', thing: file.id, title: `File ${shownText(file.name)}` })
        onDeleted()
      },
    }),
  )
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Delete ${shownText(file.name)}?`}
      action="Delete file"
      onConfirm={() => remove.mutate({ subdomain, file_id: file.id })}
      mutation={remove}
    >
      <Stack gap="sm">
        <Text size="sm">
          Its address stops working immediately. You can restore the file from the history.
        </Text>
        <FileMentions fileId={file.id} />
      </Stack>
    </Confirm>
  )
}

/** Shows where a file is used. */
export const FileUses = ({ file, onClose }: { file: Outputs['files']['get']; onClose: () => void }) => (
  <Modal opened onClose={onClose} title={`Where ${shownText(file.name)} is used`} centered>
    <Stack gap="sm">
      <FileMentions fileId={file.id} />
      <Text size="sm" c="dimmed">
        Templates that look the file up by its name are not listed.
      </Text>
    </Stack>
  </Modal>
)

/** The dialog that renames a file. */
export const RenameFile = ({ file, onClose }: { file: Outputs['files']['get']; onClose: () => void }) => {
  const { subdomain } = useSpace()
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { name: file.name } },
    api.files.update.mutationOptions({
      onSuccess: ({ name }) => {
        notifySuccess(`Renamed to ${name}`)
        onClose()
      },
    }),
  )
  const before = extensionOf(file.name)
  const after = extensionOf(form.values.name)
  return (
    <Modal opened onClose={onClose} title="Rename file" centered>
      <form {...props(({ name }) => ({ subdomain, file_id: file.id, name }))}>
        <Stack>
          <TextInput
            label="Name"
            description="Its address stays the same."
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            onFocus={event => event.currentTarget.setSelectionRange(0, file.name.length - before.length)}
            {...form.getInputProps('name')}
          />
          <div role="status">
            {before !== after && (
              <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
                <Text size="sm">
                  The extension decides how browsers open the file.{' '}
                  {after
                    ? `The new extension is ${after}`
                    : 'Without an extension, browsers download the file'}
                  ; the content does not change.
                </Text>
              </Alert>
            )}
          </div>
          {failure}
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={mutation.isPending} disabled={form.values.name === file.name}>
              Rename file
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}

interface ReplaceFileProps {
  file: Outputs['files']['get']
  onClose: () => void
  onReplace: (content: File) => void
}

/** The dialog that replaces a file's content with another file. */
export const ReplaceFile = ({ file, onClose, onReplace }: ReplaceFileProps) => {
  const [chosen, setChosen] = useState<File | null>(null)
  const hasOtherExtension = chosen !== null && extensionOf(chosen.name) !== extensionOf(file.name)
  return (
    <Modal opened onClose={onClose} title={`Replace ${shownText(file.name)}`} centered>
      <Stack>
        <Text size="sm">
          The name and address stay the same, so pages need no change. Browsers may show the old content for
          up to 5 minutes. You can restore the old content from the history.
        </Text>
        <Group>
          <FileButton onChange={setChosen}>
            {props => (
              <Button variant="default" leftSection={<IconFile size={18} aria-hidden />} {...props}>
                {chosen ? 'Choose another file' : 'Choose a file'}
              </Button>
            )}
          </FileButton>
          <Text size="sm" role="status">
            {chosen && `${chosen.name}, ${formatBytes(chosen.size)}`}
          </Text>
        </Group>
        {hasOtherExtension && (
          <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
            <Text size="sm">
              The new file seems to be of a different type. Browsers go by the name, which stays{' '}
              {shownText(file.name)}. Rename the file afterwards if needed.
            </Text>
          </Alert>
        )}
        <DialogActions onCancel={onClose}>
          <Button disabled={!chosen} onClick={() => chosen && onReplace(chosen)}>
            Replace file
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  )
}

/** Lists the pages, parts and records that contain the file's address, and would break without the file. */
export const FileMentions = ({ fileId }: { fileId: string }) => {
  const { subdomain } = useSpace()
  const { data, error, refetch } = useQuery(
    api.files.mentions.queryOptions({ subdomain, file_id: fileId }, { staleTime: 0 }),
  )
  if (error) return <FailureView error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <Text size="sm" c="dimmed" role="status">
        Checking where the file is used…
      </Text>
    )
  const { pages, parts, records } = data
  if (pages.length + parts.length + records.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No page, part or record contains its address.
      </Text>
    )
  return (
    <div>
      <Text size="sm" fw={600}>
        Its address is used in
      </Text>
      <List size="sm">
        {pages.map(({ id, slug }) => (
          <List.Item key={id}>
            page{' '}
            <TextLink size="sm" to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: id }}>
              {slug}
            </TextLink>
          </List.Item>
        ))}
        {parts.map(({ id, name }) => (
          <List.Item key={id}>
            part{' '}
            <TextLink size="sm" to="/spaces/$subdomain/parts/$partId" params={{ subdomain, partId: id }}>
              {name}
            </TextLink>
          </List.Item>
        ))}
        {records.map(({ key }) => (
          <List.Item key={key}>
            record{' '}
            <TextLink size="sm" to="/spaces/$subdomain/data/$key" params={{ subdomain, key }}>
              {key}
            </TextLink>
          </List.Item>
        ))}
      </List>
    </div>
  )
}

/** A name's extension with its dot, in lower case; empty for names such as `png` and `.png`. */
export const extensionOf = (name: string): string => {
  const dot = name.lastIndexOf('.')
  return dot > 0 && dot < name.length - 1 ? name.slice(dot).toLowerCase() : ''
}
