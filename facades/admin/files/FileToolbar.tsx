import { Center, Group, NativeSelect, SegmentedControl, VisuallyHidden } from '@mantine/core'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { SearchField } from '../shell/SearchField.tsx'
import { type FileOrder, ORDERS } from './file-search.ts'

interface FileToolbarProps {
  search: string
  order: FileOrder
  layout: 'list' | 'grid'
  onChange: (change: { q?: string; sort?: FileOrder; layout?: 'list' | 'grid' }) => void
}

const label = (icon: ReactNode, text: string) => (
  <Center h={22}>
    {icon}
    <VisuallyHidden>{text}</VisuallyHidden>
  </Center>
)

/** Search field, sort order and layout of the file list. */
export const FileToolbar = ({ search, order, layout, onChange }: FileToolbarProps) => (
  <Group mb="md" gap="sm">
    <SearchField
      label="Search files"
      placeholder="Search by name or type"
      value={search}
      onChange={q => onChange({ q })}
      style={{ flex: '1 1 12rem' }}
    />
    <NativeSelect
      aria-label="Sort by"
      value={order}
      onChange={event => onChange({ sort: event.currentTarget.value as FileOrder })}
      data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
    />
    <SegmentedControl
      aria-label="Layout"
      value={layout}
      onChange={value => onChange({ layout: value === 'grid' ? 'grid' : 'list' })}
      data={[
        { value: 'list', label: label(<IconList size={18} aria-hidden />, 'List') },
        { value: 'grid', label: label(<IconLayoutGrid size={18} aria-hidden />, 'Grid') },
      ]}
    />
  </Group>
)
