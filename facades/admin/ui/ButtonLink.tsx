import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

const ButtonAnchor = ({ ref, ...props }: ButtonProps & { ref?: Ref<HTMLAnchorElement>; href?: string }) => (
  <Button component="a" ref={ref} {...props} />
)

/** A link to a view, styled as a button. */
export const ButtonLink = createLink(ButtonAnchor)

const TextAnchor = ({ ref, ...props }: AnchorProps & { ref?: Ref<HTMLAnchorElement>; href?: string }) => (
  // Underlined, because color alone does not distinguish it from the surrounding text.
  <Anchor ref={ref} underline="always" {...props} />
)

/** A link to a view, for use within text. */
export const TextLink = createLink(TextAnchor)

interface PlainAnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>
}

const PlainAnchor = ({ ref, children, ...props }: PlainAnchorProps) => (
  <a ref={ref} {...props}>
    {children}
  </a>
)

/** A link to a view, styled by the Mantine component that renders it. */
export const RouterAnchor = createLink(PlainAnchor)
