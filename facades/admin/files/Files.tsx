import {
  Box,
  Button,
  Center,
  FileButton,
  Group,
  NativeSelect,
  Portal,
  SegmentedControl,
  Text,
  VisuallyHidden,
} from '@mantine/core'
import { IconCloudUpload, IconLayoutGrid, IconList, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useCallback, useDeferredValue, useRef, useState } from 'react'
import { rules } from '../../../routers/api/rules.ts'
import picture from '../../shared/illustrations/files.svg?raw'
import { api, type Outputs } from '../api.ts'
import { useSelection } from '../selection/use-selection.ts'
import { useKey } from '../shell/single-keys.ts'
import { Empty, NoMatch } from '../ui/Empty.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { LoadingRows, LoadingSearch, LoadingSelection } from '../ui/Loading.tsx'
import { formatBytes } from '../ui/numbers.ts'
import { QuotaBar } from '../ui/QuotaBar.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { FILE_TERM_LENGTH, type FileSearch, fileSearch } from '../view-search.ts'
import { useChosenFiles } from './chosen-files.ts'
import type { FileTask } from './FileActions.tsx'
import { FileDialogs } from './FileDialogs.tsx'
import { FileList } from './FileList.tsx'
import { kindOf } from './file-kind.tsx'
import css from './files.module.css'
import { SelectedFiles } from './SelectedFiles.tsx'
import { Uploads } from './Uploads.tsx'
import { isRunning } from './upload-queue.ts'
import { type Incoming, useIncomingFiles } from './use-incoming-files.ts'
import { useTakenNames } from './use-taken-names.tsx'
import { useUploads } from './use-uploads.ts'

const route = getRouteApi('/signed-in/spaces/$subdomain/files')

/** The sort orders with their labels. */
const ORDERS = {
  newest: 'Newest first',
  changed: 'Recently updated first',
  name: 'By name',
  size: 'Largest first',
} as const

const LEAVE_WARNING = { title: 'Stop uploading?', text: 'Files that are still uploading will not be saved.' }

/** The files of a space, and uploads of new ones. */
export const Files = () => {
  const { subdomain, name } = useSpace()
  const create = useKey('C')
  const list = useQuery(api.files.list.queryOptions({ subdomain }))
  const { uploads, queue } = useUploads(subdomain, list.data?.storage)
  const { add, dialog } = useTakenNames<Incoming>(subdomain, uploads, queue.add)
  const isOver = useIncomingFiles(add)
  const addChosen = useCallback((files: File[]) => add(files.map(file => ({ file, name: file.name }))), [add])
  useChosenFiles(subdomain, addChosen)
  const guard = useLeaveGuard(uploads.some(isRunning), LEAVE_WARNING)
  const [open, setOpen] = useState<{ task: FileTask; file: StoredFile; button: HTMLElement | null } | null>(
    null,
  )
  const listElement = useRef<HTMLUListElement>(null)
  const hasFiles = list.data !== undefined && (list.data.data.length > 0 || uploads.length > 0)
  const upload = (
    <FileButton multiple onChange={addChosen}>
      {props => (
        <Button leftSection={<IconUpload size={18} aria-hidden />} {...create} {...props}>
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
      <Loaded query={list} placeholder={LOADING}>
        {stored =>
          !hasFiles ? (
            <Empty
              picture={picture}
              title="Upload your first file"
              text={`Choose files, drop them anywhere on this page, or paste a picture. Up to ${formatBytes(stored.storage.file_max_bytes)} per file, ${formatBytes(stored.storage.quota)} in total. Anyone who knows a file’s address can open it.`}
            >
              {upload}
            </Empty>
          ) : stored.data.length > 0 ? (
            <StoredFiles
              list={stored}
              listElement={listElement}
              onTask={(task, file, button) => setOpen({ task, file, button })}
            />
          ) : null
        }
      </Loaded>
      {open && (
        <FileDialogs
          task={open.task}
          file={open.file}
          onClose={() => {
            setOpen(null)
            focusAfterDialog({ current: open.button })
          }}
          onReplace={content => queue.add([{ file: content, name: content.name, replaces: open.file }])}
          onDeleted={() => {
            setOpen(null)
            focusAfterDialog(listElement)
          }}
        />
      )}
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

const LOADING = (
  <LoadingRows
    above={
      <>
        <StorageQuota />
        <LoadingSearch />
        <LoadingSelection />
      </>
    }
  />
)

type StoredFile = Outputs['files']['get']

interface StoredFilesProps {
  list: Outputs['files']['list']
  listElement: RefObject<HTMLUListElement | null>
  /** Called with the action, the file, and the button that gets the focus back afterwards. */
  onTask: (task: FileTask, file: StoredFile, button: HTMLElement | null) => void
}

/** The stored files, with the storage used. */
const StoredFiles = ({ list, listElement, onTask }: StoredFilesProps) => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const shown = useDeferredValue(filterFiles(list.data, search))
  const selection = useSelection(shown, ({ id }) => id)
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
        <SelectedFiles selection={selection} onDeleted={() => focusAfterDialog(listElement)} />
      )}
      {shown.length === 0 ? (
        <NoMatch role="status">No file matches “{search.q}”.</NoMatch>
      ) : (
        <FileList
          ref={listElement}
          files={shown}
          layout={search.layout ?? 'list'}
          selection={selection}
          onTask={onTask}
        />
      )}
    </>
  )
}

/** Covers the window while files are dragged over it. */
export const DropOverlay = ({ to }: { to: string }) => (
  <Portal>
    <div className={css.overlay} aria-hidden>
      <div className={css.target}>
        <IconCloudUpload size={48} stroke={1.5} />
        <Text fw={650} size="lg">
          Drop to upload to {to}
        </Text>
      </div>
    </div>
  </Portal>
)

interface FileToolbarProps {
  search: FileSearch
  onChange: (change: { [Name in keyof FileSearch]?: string }) => void
}

const label = (icon: ReactNode, text: string) => (
  <Center h={22}>
    {icon}
    <VisuallyHidden>{text}</VisuallyHidden>
  </Center>
)

/** Search field, sort order and layout of the file list. */
export const FileToolbar = ({ search, onChange }: FileToolbarProps) => (
  <Group mb="md" gap="sm">
    <SearchField
      label="Search files"
      placeholder="Search by name or type"
      value={search.q ?? ''}
      maxLength={FILE_TERM_LENGTH}
      onChange={q => onChange({ q })}
      style={{ flex: '1 1 12rem' }}
    />
    <NativeSelect
      aria-label="Sort by"
      value={search.sort ?? 'newest'}
      onChange={event => onChange({ sort: event.currentTarget.value })}
      data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
    />
    <SegmentedControl
      aria-label="Layout"
      value={search.layout ?? 'list'}
      onChange={layout => onChange({ layout })}
      data={[
        { value: 'list', label: label(<IconList size={18} aria-hidden />, 'List') },
        { value: 'grid', label: label(<IconLayoutGrid size={18} aria-hidden />, 'Grid') },
      ]}
    />
  </Group>
)

const byName = new Intl.Collator('en', { numeric: true }).compare

const COMPARE: Record<NonNullable<FileSearch['sort']>, (a: StoredFile, b: StoredFile) => number> = {
  changed: (a, b) => b.updated_at.localeCompare(a.updated_at),
  name: (a, b) => byName(a.name, b.name),
  size: (a, b) => b.size - a.size,
}

/** The files that match the search, in the chosen order. */
export const filterFiles = (files: StoredFile[], { q = '', sort }: FileSearch): StoredFile[] => {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = files.filter(file => {
    const text = `${file.name} ${file.content_type} ${kindOf(file.content_type).label}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  const compare = sort && COMPARE[sort]
  return compare ? found.toSorted(compare) : found
}
