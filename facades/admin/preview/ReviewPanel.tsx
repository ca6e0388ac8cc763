import { Anchor, Code, Text } from '@mantine/core'
import { IconBulb, IconChevronDown } from '@tabler/icons-react'
import { hintSentence, linkSentence, positionText, removalText } from '../../shared/review-sentences.ts'
import { correctionOf } from '../editor/corrections.ts'
import { type CorrectAt, CorrectButton } from './CorrectButton.tsx'
import classes from './ReviewPanel.module.css'
import type { Review, TemplatePlace } from './use-preview.ts'

interface ReviewPanelProps {
  review: Review
  /** Returns a function that moves the editor to a place, or undefined if the place is in another page or part. */
  goTo?: ((place: TemplatePlace) => (() => void) | undefined) | undefined
  correct?: CorrectAt | undefined
}

const ICON_SIZE = 16

/** How many hints and removals a review contains, such as "1 hint, 2 removed". Empty for an empty review. */
export const reviewCount = ({ hints, links, removed }: Review): string => {
  const count = hints.length + links.length
  return [
    count > 0 ? `${count} ${count === 1 ? 'hint' : 'hints'}` : [],
    removed.length > 0 ? `${removed.reduce((sum, { count }) => sum + count, 0)} removed` : [],
  ]
    .flat()
    .join(', ')
}

/** Lists the findings of a review: hints, links that do not work, and markup that is removed from a static page. */
export const ReviewPanel = ({ review, goTo, correct }: ReviewPanelProps) => {
  const { hints, links, removed } = review
  return (
    <details className={classes.review}>
      <summary className={classes.summary}>
        <IconBulb size={ICON_SIZE} aria-hidden />
        {reviewCount(review)}
        <IconChevronDown className={classes.chevron} size={ICON_SIZE} aria-hidden />
      </summary>
      <div className={classes.content}>
        {hints.length + links.length > 0 && (
          <ul aria-label="Hints">
            {hints.map((hint, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two hints can be the same; the list is replaced as a whole
              <Text component="li" size="sm" key={index}>
                <Position hint={hint} onGoTo={goTo?.(hint)} /> {hintSentence(hint)}{' '}
                <Correct hint={hint} correct={correct} />
              </Text>
            ))}
            {links.map(link => (
              <Text component="li" size="sm" key={link.message}>
                <FoundAt {...link} goTo={goTo} />
                {linkSentence(link)}
              </Text>
            ))}
          </ul>
        )}
        {removed.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              Removed when the page is shown
            </Text>
            <ul aria-label="Removed">
              {removed.map(removal => (
                <Text component="li" size="sm" key={`${removalText(removal)} ${removal.message}`}>
                  <FoundAt {...removal} goTo={goTo} />
                  <Code>{removalText(removal)}</Code> {removal.message}
                </Text>
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  )
}

const Position = ({ hint, onGoTo }: { hint: TemplatePlace; onGoTo?: (() => void) | undefined }) =>
  onGoTo ? (
    <Anchor component="button" type="button" size="sm" onClick={onGoTo} underline="always">
      {positionText(hint)}
    </Anchor>
  ) : (
    <b>{positionText(hint)}</b>
  )

/** The place where a finding is written, if it was found. */
const FoundAt = ({
  where,
  line,
  goTo,
}: Pick<Review['links'][number], 'where' | 'line'> & Pick<ReviewPanelProps, 'goTo'>) => {
  if (!where) return null
  const place = { where, line, column: null }
  return (
    <>
      <Position hint={place} onGoTo={goTo?.(place)} />{' '}
    </>
  )
}

const Correct = ({ hint, correct }: { hint: Review['hints'][number]; correct: CorrectAt | undefined }) => {
  const correction = correctionOf(hint)
  const onClick = correction && correct?.(hint, correction)
  return onClick ? <CorrectButton correction={correction} onClick={onClick} /> : null
}
