import { IconDatabase, IconFile, IconFiles, IconPuzzle } from '@tabler/icons-react'

const size = 18

/** The icons of the kinds of items. */
export const ICONS = {
  page: <IconFile size={size} aria-hidden />,
  part: <IconPuzzle size={size} aria-hidden />,
  record: <IconDatabase size={size} aria-hidden />,
  file: <IconFiles size={size} aria-hidden />,
}
