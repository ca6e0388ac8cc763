import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'

interface IconButtonProps extends ActionIconProps {
  /** The tooltip and the accessible name. */
  label: string
  /** The icon. */
  children: ReactNode
}

/** An icon button with a tooltip, for use beside the title of a view. */
export const IconButton = ({ label, ...props }: IconButtonProps & { onClick: () => void }) => (
  <Tooltip label={label}>
    <ActionIcon variant="default" size={36} aria-label={label} {...props} />
  </Tooltip>
)

const IconAnchor = ({
  label,
  ref,
  ...props
}: IconButtonProps & { ref?: Ref<HTMLAnchorElement>; href?: string }) => (
  <Tooltip label={label}>
    <ActionIcon component="a" ref={ref} variant="default" size={36} aria-label={label} {...props} />
  </Tooltip>
)

/** A link to a view, styled as an {@link IconButton}. */
export const IconLink = createLink(IconAnchor)
