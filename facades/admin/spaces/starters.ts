import type { Starter } from '../../../routers/core/rules.ts'
import blogDark from './starters/blog-dark.webp'
import blogLight from './starters/blog-light.webp'
import documentationDark from './starters/documentation-dark.webp'
import documentationLight from './starters/documentation-light.webp'
import eventDark from './starters/event-dark.webp'
import eventLight from './starters/event-light.webp'
import linksDark from './starters/links-dark.webp'
import linksLight from './starters/links-light.webp'
import portfolioDark from './starters/portfolio-dark.webp'
import portfolioLight from './starters/portfolio-light.webp'

/** The choice of a space without content. */
export const EMPTY = 'empty'

interface StarterChoice {
  label: string
  text: string
  /** Addresses of its pictures, relative to the document. `npm run screenshots` takes them. */
  pictures: { light: string; dark: string }
}

/** How the starters are offered. */
export const STARTERS: Record<Starter, StarterChoice> = {
  blog: {
    label: 'Blog',
    text: 'Articles and a list of them.',
    pictures: { light: blogLight, dark: blogDark },
  },
  portfolio: {
    label: 'Portfolio',
    text: 'Your work in large pictures.',
    pictures: { light: portfolioLight, dark: portfolioDark },
  },
  documentation: {
    label: 'Documentation',
    text: 'Chapters with a menu and reference.',
    pictures: { light: documentationLight, dark: documentationDark },
  },
  event: {
    label: 'Event',
    text: 'Speakers, programme and venue.',
    pictures: { light: eventLight, dark: eventDark },
  },
  links: {
    label: 'Link page',
    text: 'One address for all your links.',
    pictures: { light: linksLight, dark: linksDark },
  },
}
