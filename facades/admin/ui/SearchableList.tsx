import { Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { FoundLines } from '../search/FoundLines.tsx'
import { NoMatch } from './Empty.tsx'
import { SearchField } from './SearchField.tsx'

interface SearchableListProps<Item> {
  /** What the list contains. */
  noun: 'page' | 'part'
  subdomain: string
  items: readonly Item[]
  /** Returns the searchable text of an item, in lower case. */
  nameOf: (item: Item) => string
  /** Fields beside the search field. */
  beside?: ReactNode
  /** Renders the items that match. */
  children: (found: Item[]) => ReactNode
}

/** A list that can be searched by name and text, with the number of matches. */
export const SearchableList = <Item,>({
  noun,
  subdomain,
  items,
  nameOf,
  beside,
  children,
}: SearchableListProps<Item>) => {
  const [search, setSearch] = useState('')
  const term = search.trim().toLowerCase()
  const found = items.filter(item => nameOf(item).includes(term))
  return (
    <>
      <Group mb="md" gap="sm" wrap="nowrap">
        <SearchField
          label={`Search ${noun}s`}
          placeholder="Search"
          maw="24rem"
          maxLength={limits.searchText}
          value={search}
          onChange={setSearch}
          style={{ flex: '1 1 8rem' }}
        />
        {beside}
      </Group>
      <Text size="sm" c="dimmed" role="status" mb="xs">
        {found.length === items.length
          ? `${items.length} ${items.length === 1 ? noun : `${noun}s`}`
          : `${found.length} of ${items.length} ${noun}s`}
      </Text>
      {found.length > 0 && children(found)}
      <FoundLines
        subdomain={subdomain}
        kind={noun}
        typed={search.trim()}
        nothing={
          found.length === 0 && (
            <NoMatch role="status">
              No {noun} matches “{search.trim()}”.
            </NoMatch>
          )
        }
      />
    </>
  )
}
