import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { Ref } from 'react'

const ButtonAnchor = ({ ref, ...props }: ButtonProps & { ref?: Ref<HTMLAnchorElement>; href?: string }) => (
  <Button component="a" ref={ref} {...props} />
)

/** A link to another view that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor)

const TextAnchor = ({ ref, ...props }: AnchorProps & { ref?: Ref<HTMLAnchorElement>; href?: string }) => (
  // Beside the words around it, colour alone would not show it.
  <Anchor ref={ref} underline="always" {...props} />
)

/** A link to another view within a text. */
export const TextLink = createLink(TextAnchor)
