import classes from './Illustration.module.css'

/** A decorative picture from `facades/shared/illustrations`, imported with `?raw`. */
export const Illustration = ({ svg }: { svg: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own file, which must be inline to use the palette
  <div aria-hidden className={classes.illustration} dangerouslySetInnerHTML={{ __html: svg }} />
)
