import { Text, Title } from '@mantine/core'
import { useId } from 'react'
import { formatNumber } from '../ui/numbers.ts'
import classes from './visits.module.css'

/** How many names are shown. */
const SHOWN = 8

interface TopListProps {
  title: string
  /** Shown instead of an empty list. */
  empty: string
  names: readonly { name: string; count: number }[]
}

/** The most frequent paths or websites, with a bar behind each. */
export const TopList = ({ title, empty, names }: TopListProps) => {
  const id = useId()
  const most = names[0]?.count ?? 1
  return (
    <div className={classes.list}>
      <Title order={3} size="h6" id={id}>
        {title}
      </Title>
      {names.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <ol aria-labelledby={id}>
          {names.slice(0, SHOWN).map(({ name, count }) => (
            <li key={name}>
              <span className={classes.share} style={{ width: `${(count / most) * 100}%` }} aria-hidden />
              <span className={classes.name}>{name}</span> <span>{formatNumber(count)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
