import { Box, Button, Title } from '@mantine/core'
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react'

/** Number of rows that the list shows at first. */
const SHOWN = 3

interface ListAboveProps<Item> {
  title: string
  items: readonly Item[]
  /** What the items are called at the end of "Show all 5 …". */
  noun: string
  /**
   * Returns the rows.
   *
   * @param focus gets the focus when a row is gone
   */
  rows: (items: readonly Item[], focus: RefObject<HTMLElement | null>) => ReactNode
}

/** A list above the list that a view is about. Renders nothing visible if it is empty. */
export const ListAbove = <Item,>({ title, items, noun, rows }: ListAboveProps<Item>) => {
  const place = useRef<HTMLDivElement>(null)
  const heading = useId()
  const [isWhole, setIsWhole] = useState(false)
  return (
    <div ref={place} tabIndex={-1}>
      {items.length > 0 && (
        <Box component="section" mb="xl" aria-labelledby={heading}>
          <Title order={2} size="h4" mb="xs" id={heading}>
            {title}
          </Title>
          {rows(isWhole ? items : items.slice(0, SHOWN), place)}
          {items.length > SHOWN && !isWhole && (
            <Button
              variant="subtle"
              size="compact-sm"
              mt="xs"
              onClick={() => {
                setIsWhole(true)
                place.current?.focus()
              }}
            >
              Show all {items.length} {noun}
            </Button>
          )}
        </Box>
      )}
    </div>
  )
}
