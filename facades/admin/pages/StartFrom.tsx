import { Button, Menu, Text } from '@mantine/core'
import { IconChevronDown, IconTemplate } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { rules } from '../../../routers/api/rules.ts'
import { api, rpc } from '../api.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { notifyFailure } from '../ui/notify.ts'
import { BLANK, EXAMPLES, type PageValues } from './examples.ts'

/** A free slug for the copy of a page: `about-2` for `about`. */
const copySlug = (slug: string, taken: ReadonlySet<string>): string => {
  for (let number = 2; ; number += 1) {
    const end = `-${number}`
    const start = slug.slice(0, rules.page.slug.max_length - end.length).replace(/-+$/, '')
    if (!taken.has(start + end)) return start + end
  }
}

interface StartFromProps {
  subdomain: string
  /** Whether the fields have text that the choice would replace. */
  isTyped: () => boolean
  /** Called with the fields that the new page starts with. */
  onChoose: (fields: PageValues) => void
}

/** A menu of starting points for a new page: a blank page, an example, or a copy of another page. */
export const StartFrom = ({ subdomain, isTyped, onChoose }: StartFromProps) => {
  const pages = useQuery(api.pages.list.queryOptions({ subdomain }))
  const others = pages.data?.data ?? []
  const slugs = new Set(others.map(({ slug }) => slug))
  // The choice that waits for confirmation, because it would replace what the person typed.
  const [asked, setAsked] = useState<PageValues | null>(null)
  const choose = (fields: PageValues) => (isTyped() ? setAsked(fields) : onChoose(fields))
  const duplicate = useMutation({
    mutationFn: (page_id: string) => rpc.pages.get.query({ subdomain, page_id }),
    onSuccess: ({ slug, kind, html }) => choose({ slug: copySlug(slug, slugs), kind, html }),
    onError: notifyFailure,
  })
  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <Button
            variant="default"
            mb="md"
            leftSection={<IconTemplate size={18} aria-hidden />}
            rightSection={<IconChevronDown size={16} aria-hidden />}
            loading={duplicate.isPending}
          >
            Start from
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="20rem" style={{ overflowY: 'auto' }}>
          <Menu.Label c="dimmed">From a template</Menu.Label>
          <Menu.Item onClick={() => choose({ ...BLANK })}>Blank page</Menu.Item>
          {Object.entries(EXAMPLES).map(([name, { label, slug, kind, html }]) => (
            <Menu.Item
              key={name}
              onClick={() => choose({ slug: slugs.has(slug) ? copySlug(slug, slugs) : slug, kind, html })}
            >
              {label}
            </Menu.Item>
          ))}
          {others.length > 0 && <Menu.Label c="dimmed">Duplicate of</Menu.Label>}
          {others.map(({ id, slug }) => (
            <Menu.Item key={id} onClick={() => duplicate.mutate(id)}>
              {slug}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title="Replace what you typed?"
        action="Replace"
        onConfirm={() => {
          if (asked) onChoose(asked)
          setAsked(null)
        }}
      >
        <Text size="sm">
          This replaces the slug, the kind and the body. Press Ctrl+Z in the editor to get the body back.
        </Text>
      </Confirm>
    </>
  )
}
