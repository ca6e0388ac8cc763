import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

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
