import { Center, Group, NativeSelect, SegmentedControl, TextInput, VisuallyHidden } from '@mantine/core'
import { IconLayoutGrid, IconList, IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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

/** Finds, orders and lays out the files. */
export const FileToolbar = ({ search, order, layout, onChange }: FileToolbarProps) => (
  <Group mb="md" gap="sm">
    <TextInput
      type="search"
      aria-label="Search files"
      placeholder="Search by name or type"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={search}
      onChange={event => onChange({ q: event.currentTarget.value })}
      style={{ flex: '1 1 12rem' }}
    />
    <NativeSelect
      aria-label="Order"
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
