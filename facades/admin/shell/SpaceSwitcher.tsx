import { Button, Popover, VisuallyHidden } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useLazyDialog } from './use-lazy-dialog.ts'

const load = async () => (await import('../search/SpaceChoice.tsx')).SpaceChoice

/** Opens another space. */
export const SpaceSwitcher = ({ subdomain }: { subdomain: string | undefined }) => {
  const { Dialog, isOpen, isLoading, open, close } = useLazyDialog(load)
  return (
    <Popover
      opened={Dialog !== null}
      onChange={opened => !opened && close()}
      position="bottom-start"
      width="min(22rem, calc(100vw - 1rem))"
      trapFocus
      // Otherwise, resizing the window could hide the list, which would then lose the focus.
      hideDetached={false}
      // In a portal, the list would be outside all landmarks.
      withinPortal={false}
      transitionProps={{ duration: 0 }}
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          style={{ flex: '0 1 auto', minWidth: 0 }}
          c="var(--mantine-color-text)"
          rightSection={<IconSelector size={16} aria-hidden />}
          aria-busy={isLoading}
          onClick={isOpen ? close : open}
        >
          <VisuallyHidden>Switch space: </VisuallyHidden>
          {subdomain ?? 'Spaces'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0}>{Dialog && <Dialog subdomain={subdomain} onClose={close} />}</Popover.Dropdown>
    </Popover>
  )
}
