import { ActionIcon, Button, Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useLayoutEffect } from 'react'
import { useLazyDialog } from '../ui/lazy.ts'
import { hasMod, MOD, SEARCH_KEYS } from './platform.ts'

const loadSearch = async () => (await import('../search/Search.tsx')).Search
const loadShortcuts = async () => (await import('../search/Shortcuts.tsx')).Shortcuts

const TEXT_FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable=false])'

const isDialogOpen = () => document.querySelector('[aria-modal=true]') !== null

/** State of the search dialog and of the list of shortcuts. Keyboard shortcuts open both from every view. */
export const useShortcuts = () => {
  const search = useLazyDialog(loadSearch)
  const shortcuts = useLazyDialog(loadShortcuts)
  // A layout effect, so that the keys work as soon as the header is visible.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      if (hasMod(event) && event.key.toLowerCase() === 'k') {
        // Otherwise the browser would open its own search.
        event.preventDefault()
        if (search.isOpen) search.close()
        else if (!isDialogOpen()) search.open()
      }
      const isTyping = event.target instanceof Element && event.target.closest(TEXT_FIELDS) !== null
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey)
      if (event.key === '?' && isPlain && !isTyping && !isDialogOpen()) {
        event.preventDefault()
        shortcuts.open()
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
  return { search, shortcuts }
}

type Shortcuts = ReturnType<typeof useShortcuts>

/** The button that opens the search; on a narrow screen, an icon. */
export const SearchButton = ({ search }: Pick<Shortcuts, 'search'>) => {
  const icon = <IconSearch size={18} aria-hidden />
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        hiddenFrom="sm"
        aria-label="Search"
        aria-haspopup="dialog"
        aria-busy={search.isLoading}
        onClick={search.open}
      >
        {icon}
      </ActionIcon>
      <Button
        variant="default"
        fw={400}
        c="dimmed"
        px="sm"
        visibleFrom="sm"
        leftSection={icon}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {MOD} K
          </Kbd>
        }
        aria-haspopup="dialog"
        aria-keyshortcuts={SEARCH_KEYS}
        aria-busy={search.isLoading}
        onClick={search.open}
      >
        Search
      </Button>
    </>
  )
}

/** The dialogs that the shortcuts open. */
export const ShortcutDialogs = ({
  search,
  shortcuts,
  subdomain,
}: Shortcuts & { subdomain: string | undefined }) => (
  <>
    {search.Dialog && (
      <search.Dialog subdomain={subdomain} onClose={search.close} showShortcuts={shortcuts.open} />
    )}
    {shortcuts.Dialog && <shortcuts.Dialog onClose={shortcuts.close} />}
  </>
)
