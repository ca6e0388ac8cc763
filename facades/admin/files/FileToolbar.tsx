import { Center, Group, NativeSelect, SegmentedControl, VisuallyHidden } from '@mantine/core'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { SearchField } from '../shell/SearchField.tsx'
import { type FileSearch, ORDERS, TERM_LENGTH } from './file-search.ts'

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
      maxLength={TERM_LENGTH}
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
