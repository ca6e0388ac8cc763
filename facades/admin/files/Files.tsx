import { Box, Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useRef, useState } from 'react'
import { rules } from '../../../routers/api/rules.ts'
import picture from '../../shared/illustrations/files.svg?raw'
import { api, type Outputs } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { focusAfterDialog } from '../feedback/focus-after-dialog.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import { NoMatch } from '../feedback/NoMatch.tsx'
import { QuotaBar } from '../feedback/QuotaBar.tsx'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { LoadingRows, LoadingSearch } from '../shell/LoadingRows.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { useChosenFiles } from './chosen-files.ts'
import { DropOverlay } from './DropOverlay.tsx'
import type { FileTask } from './FileActions.tsx'
import { FileDialogs } from './FileDialogs.tsx'
import { FileList } from './FileList.tsx'
import { FileToolbar } from './FileToolbar.tsx'
import { fileSearch } from './file-search.ts'
import { filterFiles } from './filter-files.ts'
import { SelectedFiles } from './SelectedFiles.tsx'
import { Uploads } from './Uploads.tsx'
import { isRunning } from './upload-queue.ts'
import { type Incoming, useIncomingFiles } from './use-incoming-files.ts'
import { useTakenNames } from './use-taken-names.tsx'
import { useUploads } from './use-uploads.ts'

const route = getRouteApi('/signed-in/spaces/$subdomain/files')
const LEAVE_WARNING = { title: 'Stop uploading?', text: 'Files that are still uploading will not be saved.' }

/** The files of a space, and uploads of new ones. */
export const Files = () => {
  const { subdomain, name } = useSpace()
  const list = useQuery(api.files.list.queryOptions({ subdomain }))
  const { uploads, queue } = useUploads(subdomain, list.data?.storage)
  const { add, dialog } = useTakenNames<Incoming>(subdomain, uploads, queue.add)
  const isOver = useIncomingFiles(add)
  const addChosen = useCallback((files: File[]) => add(files.map(file => ({ file, name: file.name }))), [add])
  useChosenFiles(subdomain, addChosen)
  const guard = useLeaveGuard(uploads.some(isRunning), LEAVE_WARNING)
  const hasFiles = list.isSuccess && (list.data.data.length > 0 || uploads.length > 0)
  const upload = (
    <FileButton multiple onChange={addChosen}>
      {props => (
        <Button leftSection={<IconUpload size={18} aria-hidden />} {...props}>
          Upload files
        </Button>
      )}
    </FileButton>
  )
  return (
    <>
      <ViewTitle title="Files" of={name} text="Images, fonts, stylesheets and other files that pages use.">
        {hasFiles && upload}
      </ViewTitle>
      <Uploads uploads={uploads} queue={queue} />
      {list.isPending ? (
        <LoadingRows
          above={
            <>
              <StorageQuota />
              <LoadingSearch />
              {/* Placeholder for “Select all”. */}
              <Box h={36} mb="xs" />
            </>
          }
        />
      ) : list.isError ? (
        <FailureView error={list.error} retry={() => void list.refetch()} />
      ) : !hasFiles ? (
        <Empty
          picture={picture}
          title="Upload your first file"
          text={`Choose files, drop them anywhere on this page, or paste a picture. Up to ${formatBytes(list.data.storage.file_max_bytes)} per file, ${formatBytes(list.data.storage.quota)} in total. Anyone who knows a file’s address can open it.`}
        >
          {upload}
        </Empty>
      ) : list.data.data.length > 0 ? (
        <StoredFiles
          list={list.data}
          onReplace={(content, file) => queue.add([{ file: content, name: content.name, replaces: file }])}
        />
      ) : null}
      {isOver && <DropOverlay to={name} />}
      {dialog}
      {guard}
    </>
  )
}

/** Usage of the space's storage quota; shows a placeholder until the files have loaded. */
const StorageQuota = ({ used }: { used?: number }) => (
  <Box maw={420} mb="lg">
    <QuotaBar label="Storage" used={used} quota={rules.file.quota_bytes} format={formatBytes} />
  </Box>
)

type StoredFile = Outputs['files']['get']

interface StoredFilesProps {
  list: Outputs['files']['list']
  onReplace: (content: File, file: StoredFile) => void
}

/** The stored files, with the storage used and the dialogs of their actions. */
const StoredFiles = ({ list, onReplace }: StoredFilesProps) => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [open, setOpen] = useState<{ task: FileTask; file: StoredFile; button: HTMLElement | null } | null>(
    null,
  )
  const listElement = useRef<HTMLUListElement>(null)
  const shown = useDeferredValue(filterFiles(list.data, search))
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const selected = shown.filter(({ id }) => marked.has(id))
  return (
    <>
      <StorageQuota used={list.storage.used} />
      <FileToolbar
        search={search}
        onChange={change =>
          void navigate({ search: before => fileSearch({ ...before, ...change }), replace: true })
        }
      />
      {shown.length > 0 && (
        <SelectedFiles
          selected={selected}
          total={shown.length}
          onSelectAll={isAll => setMarked(new Set(isAll ? shown.map(({ id }) => id) : []))}
          onDeleted={() => focusAfterDialog(listElement)}
        />
      )}
      {shown.length === 0 ? (
        <NoMatch role="status">No file matches “{search.q}”.</NoMatch>
      ) : (
        <FileList
          ref={listElement}
          files={shown}
          layout={search.layout ?? 'list'}
          selected={marked}
          onSelect={(id, isSelected) =>
            setMarked(
              before => new Set(isSelected ? [...before, id] : [...before].filter(other => other !== id)),
            )
          }
          onTask={(task, file, button) => setOpen({ task, file, button })}
        />
      )}
      {open && (
        <FileDialogs
          task={open.task}
          file={open.file}
          onClose={() => {
            setOpen(null)
            focusAfterDialog({ current: open.button })
          }}
          onReplace={content => onReplace(content, open.file)}
          onDeleted={() => {
            setOpen(null)
            focusAfterDialog(listElement)
          }}
        />
      )}
    </>
  )
}
