import { ActionIcon, Button, CloseButton, Code, Group, Text, Tooltip } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import { type Body, findOpen, MAIN, type OpenBody, type WrittenBody } from '../editor/open-bodies.ts'
import type { TextRange } from '../editor/written-place.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { ContentList } from './ContentList.tsx'
import { contentsOf, type TextPlace } from './contents.ts'
import type { LinkedPage } from './LinkedPageBar.tsx'
import classes from './Preview.module.css'
import type { PreviewDocument } from './use-preview.ts'
import type { MarkedElement } from './use-selection.ts'

interface SelectionBarProps {
  subdomain: string
  document: PreviewDocument
  /** Null for an element that a script has made. */
  mark: number | null
  bodies: readonly OpenBody[]
  /** What the view edits. */
  what: 'page' | 'part'
  pages: readonly LinkedPage[]
  /** Whether a text is open, so that no other one can be opened. */
  isEditing: boolean
  /** Opens a text in place. */
  onEdit: (place: TextPlace) => void
  /** Moves the focus to a range in the code. */
  onEditCode: (body: WrittenBody, range: TextRange) => void
  /** Edits the element as a whole. */
  children: ReactNode
  /** Why a text could not be opened. */
  failure: ReactNode
  onSelect: (mark: number) => void
  onClose: () => void
}

/**
 * Says where the selected element is written and where the values in it come from, and leads there. The draft can only
 * trigger the offer; only a click here opens anything.
 */
export const SelectionBar = ({
  subdomain,
  document,
  mark,
  bodies,
  what,
  pages,
  isEditing,
  onEdit,
  onEditCode,
  children,
  failure,
  onSelect,
  onClose,
}: SelectionBarProps) => {
  const { elements } = document.marks!
  const element = mark === null ? undefined : elements[mark]
  const open = element && findOpen(bodies, document, element.body)
  const contents = element ? contentsOf(element, document, bodies) : []
  return (
    <section className={classes.bar} aria-label="Selected element">
      <div className={classes.selection}>
        <Text size="sm" role="status">
          {element ? (
            <WrittenIn element={element} document={document} open={open} what={what} />
          ) : (
            'A script made this element, so no template has it.'
          )}
        </Text>
        {contents.length > 0 && (
          <ContentList
            subdomain={subdomain}
            contents={contents}
            isEditing={isEditing}
            onEdit={onEdit}
            onEditTag={({ body, ...range }) => onEditCode(body, range)}
          />
        )}
        {failure}
      </div>
      <Group gap={4}>
        {children}
        {/* Stays while the body is opened beside, so that a click meets it. */}
        {element && open?.key !== MAIN && (
          <OpenElsewhere
            subdomain={subdomain}
            body={document.marks!.bodies[element.body]!}
            at={element.begin}
            pages={pages}
          />
        )}
        {element && open && (
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => onEditCode(open, { ...element, end: Math.min(element.tagEnd, element.end) })}
          >
            Edit code
          </Button>
        )}
        {[
          { label: 'Previous element', to: (mark ?? 0) - 1, icon: <IconChevronLeft size={16} /> },
          { label: 'Next element', to: (mark ?? -1) + 1, icon: <IconChevronRight size={16} /> },
        ].map(({ label, to, icon }) => (
          <Tooltip label={label} key={label}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={label}
              aria-disabled={!elements[to]}
              data-disabled={!elements[to] || undefined}
              onClick={() => elements[to] && onSelect(to)}
            >
              {icon}
            </ActionIcon>
          </Tooltip>
        ))}
        <CloseButton size="sm" aria-label="Deselect" onClick={onClose} />
      </Group>
    </section>
  )
}

interface WrittenInProps {
  element: MarkedElement
  document: PreviewDocument
  open: WrittenBody | undefined
  what: 'page' | 'part'
}

const WrittenIn = ({ element, document, open, what }: WrittenInProps) => {
  const { body, name } = document.marks!.bodies[element.body]!
  return (
    <>
      <Code>{`<${element.name}>`}</Code> {element.isLiteral ? 'in' : 'printed in'}{' '}
      {open?.key === MAIN ? `this ${what}` : `the ${body} ${name}`}
      {open && `, line ${lineOf(open.text, element.begin)}`}
    </>
  )
}

interface OpenElsewhereProps {
  subdomain: string
  body: Body
  at: number
  pages: readonly LinkedPage[]
}

/** A link to the editor of another page or part, at an offset in its text. */
const OpenElsewhere = ({ subdomain, body: { body, name }, at, pages }: OpenElsewhereProps) => {
  const parts = useQuery({ ...api.parts.list.queryOptions({ subdomain }), enabled: body === 'part' })
  const look = { size: 'compact-sm', variant: 'light', search: { at: String(at) } } as const
  const part = parts.data?.data.find(part => part.name === name)
  const page = pages.find(({ slug }) => slug === name)
  if (body === 'part' && part)
    return (
      <ButtonLink to="/spaces/$subdomain/parts/$partId" params={{ subdomain, partId: part.id }} {...look}>
        Open {name}
      </ButtonLink>
    )
  if (body === 'page' && page)
    return (
      <ButtonLink to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: page.id }} {...look}>
        Open {name}
      </ButtonLink>
    )
  return null
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split(/\r\n?|\n/).length
