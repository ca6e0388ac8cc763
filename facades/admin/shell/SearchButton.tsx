import { ActionIcon, Button, Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { MOD, SEARCH_KEYS } from './platform.ts'
import type { useShortcuts } from './use-shortcuts.ts'

type Shortcuts = Pick<ReturnType<typeof useShortcuts>, 'search' | 'shortcuts'>

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
    {shortcuts.Dialog && <shortcuts.Dialog subdomain={subdomain} onClose={shortcuts.close} />}
  </>
)
