import { Avatar, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { api } from '../api.ts'
import { Monogram } from '../icon/Monogram.tsx'
import { useSession } from '../session.ts'
import { isMine, useChanges } from './changes.ts'
import { followSpace } from './connection.ts'
import classes from './Live.module.css'
import { agentsAtWork, authorsOf } from './summary.ts'

/** How often to look whether agents are still at work, in ms. */
const LOOK_EVERY = 30_000

/** Minimum time between two announcements to screen readers, in ms. */
const ANNOUNCE_EVERY = 10_000

/** Number of people whose pictures are shown. */
const SHOWN = 3

/** Follows a space, and shows who else has it open and which agents are at work. */
export const LiveSpace = ({ subdomain }: { subdomain: string }) => {
  useEffect(() => followSpace(subdomain), [subdomain])
  return (
    <Group gap="xs" wrap="nowrap" className={classes.live ?? ''}>
      <Agents subdomain={subdomain} />
      <People subdomain={subdomain} />
      <Announcements subdomain={subdomain} />
    </Group>
  )
}

/** What the agents that have just changed something did. */
const Agents = ({ subdomain }: { subdomain: string }) => {
  const changes = useChanges(subdomain)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_EVERY)
    return () => clearInterval(timer)
  }, [])
  const agents = agentsAtWork(changes, now)
  const [latest] = agents
  if (!latest) return null
  const sentences = agents.map(({ name, done }) => shownText(`${name} ${done}`))
  return (
    <Group gap={6} wrap="nowrap" className={classes.agent ?? ''} title={sentences.join('. ')}>
      <IconRobot size={18} aria-hidden />
      <Text size="sm" className={classes.done ?? ''}>
        {sentences[0]}
        {agents.length > 1 && ` +${agents.length - 1}`}
      </Text>
    </Group>
  )
}

/** The pictures of the others who have the space open. */
const People = ({ subdomain }: { subdomain: string }) => {
  const { handle } = useSession()
  const { data } = useQuery(api.live.people.queryOptions({ subdomain }))
  const others = data?.filter(person => person.handle !== handle) ?? []
  if (others.length === 0) return null
  const names = others.map(person => shownText(person.name ?? person.handle))
  const sentence = `${new Intl.ListFormat('en').format(names)} ${names.length === 1 ? 'has' : 'have'} this space open`
  return (
    <Avatar.Group spacing="xs" title={sentence}>
      {others.slice(0, SHOWN).map((person, n) => (
        <Monogram key={person.handle} src={person.icon_url} name={names[n]!} size={28} radius="xl" />
      ))}
      {others.length > SHOWN && (
        <Avatar size={28} radius="xl" alt="">
          +{others.length - SHOWN}
        </Avatar>
      )}
      <VisuallyHidden>{sentence}</VisuallyHidden>
    </Avatar.Group>
  )
}

/** Tells screen readers now and then what others have changed. */
const Announcements = ({ subdomain }: { subdomain: string }) => {
  const changes = useChanges(subdomain)
  const [text, setText] = useState('')
  const told = useRef({ at: Number.NEGATIVE_INFINITY, until: Date.now() })
  useEffect(() => {
    const news = changes.filter(
      change => change.heardAt !== null && change.heardAt > told.current.until && !isMine(change),
    )
    if (news.length === 0) return
    const timer = setTimeout(
      () => {
        told.current = { at: Date.now(), until: Date.now() }
        setText(
          authorsOf(news)
            .map(({ name, done }) => shownText(`${name} ${done}.`))
            .join(' '),
        )
      },
      Math.max(1_000, told.current.at + ANNOUNCE_EVERY - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [changes])
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  )
}
