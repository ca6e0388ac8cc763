import { Portal, Text } from '@mantine/core'
import { IconCloudUpload } from '@tabler/icons-react'
import css from './files.module.css'

/** Covers the window while files are dragged over it. */
export const DropOverlay = ({ to }: { to: string }) => (
  <Portal>
    <div className={css.overlay} aria-hidden>
      <div className={css.target}>
        <IconCloudUpload size={48} stroke={1.5} />
        <Text fw={650} size="lg">
          Drop to upload to {to}
        </Text>
      </div>
    </div>
  </Portal>
)
