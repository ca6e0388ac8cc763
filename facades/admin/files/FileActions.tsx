import { ActionIcon, Group, Menu, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconBrackets,
  IconCode,
  IconCopy,
  IconDots,
  IconExternalLink,
  IconHistory,
  IconLink,
  IconPencil,
  IconReplace,
  IconTrash,
} from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import type { Outputs } from '../api.ts'
import { RouterAnchor } from '../ui/ButtonLink.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { rowIcon } from '../ui/RowButton.tsx'
import { useSpace } from '../use-space.ts'

type StoredFile = Outputs['files']['get']

/** An action that opens a dialog. */
export type FileTask = 'rename' | 'replace' | 'uses' | 'delete'

/** A file's copy button and its menu of further actions. */
export const FileActions = ({
  file,
  onTask,
}: {
  file: StoredFile
  /** Called with the action, the file, and the button that gets the focus back afterwards. */
  onTask: (task: FileTask, file: StoredFile, button: HTMLElement | null) => void
}) => {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { subdomain } = useSpace()
  const { url } = file
  const name = shownText(file.name)
  const element = elementOf(file, url)
  const liquid = liquidOf(file)
  return (
    <Group gap={4} wrap="nowrap">
      <Tooltip label="Copy address">
        <ActionIcon
          {...rowIcon}
          aria-label={`Copy address of ${name}`}
          onClick={() => void copyText(url, 'the address')}
        >
          <IconCopy size={18} />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end" width={240} keepMounted={false} opened={isOpen} onChange={setIsOpen}>
        <Tooltip label="More actions" disabled={isOpen}>
          <span>
            <Menu.Target>
              <ActionIcon ref={button} {...rowIcon} aria-label={`More actions for ${name}`}>
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
          </span>
        </Tooltip>
        <Menu.Dropdown>
          <Menu.Item
            component="a"
            href={url}
            target="_blank"
            rel="noopener"
            leftSection={<IconExternalLink size={16} />}
          >
            Open in a new tab
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconCode size={16} />}
            onClick={() => void copyText(element.html, element.tag)}
          >
            Copy as {element.tag}
          </Menu.Item>
          {liquid && (
            <Menu.Item
              leftSection={<IconBrackets size={16} />}
              onClick={() => void copyText(liquid, 'the Liquid line')}
            >
              Copy as Liquid (by name)
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPencil size={16} />}
            onClick={() => onTask('rename', file, button.current)}
          >
            Rename
          </Menu.Item>
          <Menu.Item
            leftSection={<IconReplace size={16} />}
            onClick={() => onTask('replace', file, button.current)}
          >
            Replace
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLink size={16} />}
            onClick={() => onTask('uses', file, button.current)}
          >
            Where it is used
          </Menu.Item>
          <Menu.Item
            leftSection={<IconHistory size={16} />}
            renderRoot={props => (
              <RouterAnchor
                to="/spaces/$subdomain/history"
                params={{ subdomain }}
                search={{ kind: 'file', thing: file.id }}
                {...props}
              />
            )}
          >
            History
          </Menu.Item>
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} />}
            onClick={() => onTask('delete', file, button.current)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** Returns the code that shows or loads a file in a page, and the element or CSS rule that the code uses. */
export const elementOf = ({ content_type, name }: StoredFile, url: string) => {
  const [family] = content_type.split('/')
  if (family === 'image') return { tag: '<img>', html: `<img src="${url}" alt="">` }
  if (family === 'video') return { tag: '<video>', html: `<video src="${url}" controls></video>` }
  if (family === 'audio') return { tag: '<audio>', html: `<audio src="${url}" controls></audio>` }
  if (content_type === 'text/css') return { tag: '<link>', html: `<link rel="stylesheet" href="${url}">` }
  if (family === 'font') {
    const font = name.replace(/\.\w+$/, '').replace(/["\\]/g, '')
    return { tag: '@font-face', html: `@font-face { font-family: "${font}"; src: url("${url}") }` }
  }
  return { tag: '<a>', html: `<a href="${url}">${escapeHtml(name)}</a>` }
}

/**
 * Liquid that looks the file up by name, so that the page keeps working if the file is uploaded again.
 *
 * @returns null if the name contains both kinds of quotes, which Liquid cannot express
 */
export const liquidOf = (file: StoredFile): string | null => {
  const quote = ['"', "'"].find(quote => !file.name.includes(quote))
  if (quote === undefined) return null
  const { html } = elementOf(file, '{{ file.url }}')
  return `{% assign file = files | where: "name", ${quote}${file.name}${quote} | first %}${html}`
}

/**
 * Copies text to the clipboard and shows a notification. If the browser blocks copying, the notification contains the
 * text.
 *
 * @param what what is copied: "the address"
 */
export const copyText = async (text: string, what: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notifySuccess(`Copied ${what}`)
  } catch {
    notifications.show({
      title: `Your browser blocked copying ${what}`,
      message: text,
      color: 'yellow',
      autoClose: false,
    })
  }
}
