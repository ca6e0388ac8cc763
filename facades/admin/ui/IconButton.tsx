import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'
import classes from './IconButton.module.css'

interface IconButtonProps extends ButtonProps {
  /** The tooltip and the accessible name. */
  label: string
  /** A word of the label, which is shown beside the icon where there is room. */
  word: string
  /** The icon. */
  children: ReactNode
}

const face = (icon: ReactNode, word: string) => (
  <>
    {icon}
    <span className={classes.word}>{word}</span>
  </>
)

/** An icon button with a tooltip, for use beside the title of a view. */
export const IconButton = ({
  label,
  word,
  children,
  ...props
}: IconButtonProps & { onClick: () => void }) => (
  <Tooltip label={label}>
    <Button variant="default" px={8} aria-label={label} {...props}>
      {face(children, word)}
    </Button>
  </Tooltip>
)

const IconAnchor = ({
  label,
  word,
  children,
  ref,
  ...props
}: IconButtonProps & { ref?: Ref<HTMLAnchorElement>; href?: string }) => (
  <Tooltip label={label}>
    <Button component="a" ref={ref} variant="default" px={8} aria-label={label} {...props}>
      {face(children, word)}
    </Button>
  </Tooltip>
)

/** A link to a view, styled as an {@link IconButton}. */
export const IconLink = createLink(IconAnchor)
