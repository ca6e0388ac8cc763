import { Modal } from '@mantine/core'
import type { Starter } from '../../../routers/api/rules.ts'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import classes from './StarterField.module.css'
import blogDark from './starters/blog-whole-dark.webp'
import blogLight from './starters/blog-whole-light.webp'
import clubDark from './starters/club-whole-dark.webp'
import clubLight from './starters/club-whole-light.webp'
import documentationDark from './starters/documentation-whole-dark.webp'
import documentationLight from './starters/documentation-whole-light.webp'
import eventDark from './starters/event-whole-dark.webp'
import eventLight from './starters/event-whole-light.webp'
import linksDark from './starters/links-whole-dark.webp'
import linksLight from './starters/links-whole-light.webp'
import personalDark from './starters/personal-whole-dark.webp'
import personalLight from './starters/personal-whole-light.webp'
import portfolioDark from './starters/portfolio-whole-dark.webp'
import portfolioLight from './starters/portfolio-whole-light.webp'
import restaurantDark from './starters/restaurant-whole-dark.webp'
import restaurantLight from './starters/restaurant-whole-light.webp'
import { STARTERS } from './starters.ts'

/** Pictures of each starter's whole home page. `npm run screenshots` takes them. */
const WHOLE: Record<Starter, { light: string; dark: string }> = {
  blog: { light: blogLight, dark: blogDark },
  portfolio: { light: portfolioLight, dark: portfolioDark },
  restaurant: { light: restaurantLight, dark: restaurantDark },
  club: { light: clubLight, dark: clubDark },
  personal: { light: personalLight, dark: personalDark },
  event: { light: eventLight, dark: eventDark },
  links: { light: linksLight, dark: linksDark },
  documentation: { light: documentationLight, dark: documentationDark },
}

/** A dialog with the whole home page of a starter. */
const StarterLook = ({ starter, onClose }: { starter: Starter; onClose: () => void }) => {
  const { label } = STARTERS[starter]
  useFocusReturn()
  const alt = `The home page of the starter ${label}`
  return (
    <Modal opened onClose={onClose} title={label} size={992}>
      <img
        className={`${classes.light} ${classes.whole}`}
        src={WHOLE[starter].light}
        alt={alt}
        loading="lazy"
      />
      <img
        className={`${classes.dark} ${classes.whole}`}
        src={WHOLE[starter].dark}
        alt={alt}
        loading="lazy"
      />
    </Modal>
  )
}

export default StarterLook
