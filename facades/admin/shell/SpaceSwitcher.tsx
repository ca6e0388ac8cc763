import { VisuallyHidden } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { HeaderPanel } from './HeaderPanel.tsx'
import { useLazyDialog } from './use-lazy-dialog.ts'

const load = async () => (await import('../search/SpaceChoice.tsx')).SpaceChoice

/** Opens another space. */
export const SpaceSwitcher = ({ subdomain }: { subdomain: string | undefined }) => {
  const { Dialog, isOpen, open, close } = useLazyDialog(load)
  return (
    <HeaderPanel
      label="Switch space"
      width={22}
      isOpen={isOpen}
      onOpen={open}
      onClose={close}
      panel={Dialog && <Dialog subdomain={subdomain} onClose={close} />}
      style={{ flex: '0 1 auto', minWidth: 0 }}
      c="var(--mantine-color-text)"
      rightSection={<IconSelector size={16} aria-hidden />}
    >
      <VisuallyHidden>Switch space: </VisuallyHidden>
      {subdomain ?? 'Spaces'}
    </HeaderPanel>
  )
}
