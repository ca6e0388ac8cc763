import { Anchor, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { formatNumber } from '../ui/numbers.ts'
import classes from './TopList.module.css'

/** Puts lists beside each other, if there is room. */
export const TopLists = ({ children }: { children: ReactNode }) => (
  <div className={classes.lists}>{children}</div>
)

/** How many names are shown. */
const SHOWN = 8

interface TopListProps {
  title: string
  /** Shown instead of an empty list. */
  empty: string
  names: readonly { name: string; count: number; url?: string }[]
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
          {names.slice(0, SHOWN).map(({ name, count, url }) => (
            <li key={url ?? name}>
              <span className={classes.share} style={{ width: `${(count / most) * 100}%` }} aria-hidden />
              <span className={classes.name}>
                {url === undefined ? (
                  name
                ) : (
                  <Anchor href={url} target="_blank" rel="noopener" inherit>
                    {name}
                  </Anchor>
                )}
              </span>{' '}
              <span>{formatNumber(count)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
