import { ActionIcon, Anchor, Button, CloseButton, Code, Group, Text, Tooltip } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import { pointerOf } from '../data/json.ts'
import type { TextRange } from '../editor/written-place.ts'
import { ButtonLink, TextLink } from '../ui/ButtonLink.tsx'
import type { LinkedPage } from './LinkedPageBar.tsx'
import classes from './Preview.module.css'
import { recordText } from './record-text.ts'
import type { PageMarks, PreviewDocument } from './use-preview.ts'
import type { MarkedElement } from './use-selection.ts'
import type { RecordPath } from './use-text-editing.tsx'

type Body = PageMarks['bodies'][number]
type Value = MarkedElement['values'][number]

interface SelectionBarProps {
  subdomain: string
  document: PreviewDocument
  /** Null for an element that a script has made. */
  mark: number | null
  /** Whether the open editor has this body. */
  isHere: (body: Body) => boolean
  /** What the editor edits. */
  what: 'page' | 'part'
  pages: readonly LinkedPage[]
  /** Opens the text of the element in place; undefined if that is not possible. */
  onEditText: (() => void) | undefined
  /** Opens a string of a record in place. */
  onEditValue: (record: RecordPath) => void
  /** Why the text could not be opened. */
  failure: ReactNode
  /** Moves the focus to the source in the editor. @param tag a tag in the element; by default the element */
  onEditCode: (tag?: TextRange) => void
  onSelect: (mark: number) => void
  onClose: () => void
}

/** Maximum number of printed values that are listed. */
const MAX_VALUES = 4

/**
 * Says where the selected element is written and where the values in it come from, and leads there. The draft can only
 * trigger the offer; only a click here opens anything.
 */
export const SelectionBar = ({
  subdomain,
  document,
  mark,
  isHere,
  what,
  pages,
  onEditText,
  onEditValue,
  failure,
  onEditCode,
  onSelect,
  onClose,
}: SelectionBarProps) => {
  const { bodies, elements } = document.marks!
  const element = mark === null ? undefined : elements[mark]
  const body = element && bodies[element.body]!
  const values = element ? valuesOf(element, document, isHere) : []
  return (
    <section className={classes.bar} aria-label="Selected element">
      <div className={classes.selection}>
        <Text size="sm" role="status">
          {element && body ? (
            <>
              <Code>{`<${element.name}>`}</Code>{' '}
              {isHere(body)
                ? `${element.isLiteral ? 'in' : 'printed in'} this ${what}, line ${lineOf(document, element)}`
                : `${element.isLiteral ? 'in' : 'printed in'} the ${body.body} ${body.name}`}
            </>
          ) : (
            'A script made this element, so no template has it.'
          )}
        </Text>
        {values.length > 0 && (
          <Group gap="0 0.75rem" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {values.slice(0, MAX_VALUES).map(({ label, record, isUnchanged, tag }) => (
              <li key={label} style={{ display: 'inline-flex', alignItems: 'center', gap: 2 }}>
                {record ? (
                  <TextLink
                    size="xs"
                    ff="monospace"
                    to="/spaces/$subdomain/data/$key"
                    params={{ subdomain, key: record[0] }}
                    search={{ at: pointerOf(record.slice(1)) || undefined }}
                  >
                    {label}
                  </TextLink>
                ) : tag ? (
                  <Anchor
                    component="button"
                    type="button"
                    size="xs"
                    ff="monospace"
                    underline="always"
                    onClick={() => onEditCode(tag)}
                  >
                    {label}
                  </Anchor>
                ) : (
                  <Text size="xs">{label}</Text>
                )}
                {record && isUnchanged && (
                  <Tooltip label={`Edit ${label}`}>
                    <ActionIcon
                      size={24}
                      variant="subtle"
                      aria-label={`Edit ${label}`}
                      onClick={() => onEditValue(record)}
                    >
                      <IconPencil size={14} />
                    </ActionIcon>
                  </Tooltip>
                )}
              </li>
            ))}
            {values.length > MAX_VALUES && (
              <Text component="li" size="xs" c="dimmed">{`and ${values.length - MAX_VALUES} more`}</Text>
            )}
          </Group>
        )}
        {failure}
      </div>
      <Group gap={4} wrap="nowrap">
        {onEditText && (
          <Button size="compact-sm" onClick={onEditText}>
            Edit text
          </Button>
        )}
        {element &&
          body &&
          (isHere(body) ? (
            <Button size="compact-sm" variant="light" onClick={() => onEditCode()}>
              Edit code
            </Button>
          ) : (
            <OpenBody subdomain={subdomain} body={body} at={element.begin} pages={pages} />
          ))}
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

interface OpenBodyProps {
  subdomain: string
  body: Body
  at: number
  pages: readonly LinkedPage[]
}

/** A link to the editor of another page or part, at an offset in its text. */
const OpenBody = ({ subdomain, body: { body, name }, at, pages }: OpenBodyProps) => {
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

const lineOf = ({ written = '' }: PreviewDocument, { begin }: { begin: number }) =>
  written.slice(0, begin).split(/\r\n?|\n/).length

/** The values that print in an element, each once: the record, or the tag that prints it. */
const valuesOf = (
  { values }: MarkedElement,
  { marks, written = '' }: PreviewDocument,
  isHere: (body: Body) => boolean,
) => {
  const named = new Map<string, Pick<Value, 'record' | 'isUnchanged'> & { tag?: TextRange }>()
  for (const { record, isUnchanged, body: index, begin, end } of values) {
    const body = marks!.bodies[index]!
    const label = record
      ? recordText(record)
      : isHere(body)
        ? written.slice(begin, end)
        : `a tag in the ${body.body} ${body.name}`
    named.set(label, {
      record,
      isUnchanged: isUnchanged || (named.get(label)?.isUnchanged ?? false),
      ...(isHere(body) && { tag: { begin, end } }),
    })
  }
  return Array.from(named, ([label, value]) => ({ label, ...value }))
}
