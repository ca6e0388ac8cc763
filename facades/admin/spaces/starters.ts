import type { Starter } from '../../../routers/api/rules.ts'
import blogDark from './starters/blog-dark.webp'
import blogLight from './starters/blog-light.webp'
import clubDark from './starters/club-dark.webp'
import clubLight from './starters/club-light.webp'
import documentationDark from './starters/documentation-dark.webp'
import documentationLight from './starters/documentation-light.webp'
import eventDark from './starters/event-dark.webp'
import eventLight from './starters/event-light.webp'
import linksDark from './starters/links-dark.webp'
import linksLight from './starters/links-light.webp'
import personalDark from './starters/personal-dark.webp'
import personalLight from './starters/personal-light.webp'
import portfolioDark from './starters/portfolio-dark.webp'
import portfolioLight from './starters/portfolio-light.webp'
import restaurantDark from './starters/restaurant-dark.webp'
import restaurantLight from './starters/restaurant-light.webp'

/** The value that stands for an empty space. */
export const EMPTY = 'empty'

interface StarterChoice {
  label: string
  text: string
  /** URLs of the starter's pictures, relative to the document. `npm run screenshots` takes the pictures. */
  pictures: { light: string; dark: string }
}

/** The label, description and pictures of each starter. */
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
  restaurant: {
    label: 'Restaurant',
    text: 'Menu, opening hours and how to find you.',
    pictures: { light: restaurantLight, dark: restaurantDark },
  },
  club: {
    label: 'Club',
    text: 'Dates, how to join and whom to ask.',
    pictures: { light: clubLight, dark: clubDark },
  },
  personal: {
    label: 'Personal page',
    text: 'Notes, lists and a cat. The small web.',
    pictures: { light: personalLight, dark: personalDark },
  },
  event: {
    label: 'Event',
    text: 'Speakers, program and venue.',
    pictures: { light: eventLight, dark: eventDark },
  },
  links: {
    label: 'Link page',
    text: 'One address for all your links.',
    pictures: { light: linksLight, dark: linksDark },
  },
  documentation: {
    label: 'Documentation',
    text: 'Chapters, a menu and a reference page.',
    pictures: { light: documentationLight, dark: documentationDark },
  },
}
