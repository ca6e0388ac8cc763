import { Highlight } from '@mantine/core'
import classes from './search.module.css'

/** A piece of a text with the match marked. */
export const Excerpt = ({ text, match }: { text: string; match: string }) => (
  <Highlight
    component="span"
    size="xs"
    className={classes.excerpt ?? ''}
    highlight={match}
    highlightStyles={{ background: 'none', color: 'inherit', fontWeight: 700 }}
  >
    {text}
  </Highlight>
)
