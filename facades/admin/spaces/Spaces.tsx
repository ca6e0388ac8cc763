import { Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import picture from '../../shared/illustrations/spaces.svg?raw'
import { api, type Outputs } from '../api.ts'
import { Monogram } from '../icon/Monogram.tsx'
import { useKey } from '../shell/single-keys.ts'
import { ButtonLink, TextLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { PagePicture } from '../ui/PagePicture.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import classes from './Spaces.module.css'

/** The spaces that the person participates in, as cards with pictures of their sites. */
export const Spaces = () => {
  const spaces = useQuery(api.spaces.list.queryOptions())
  const newSpace = (
    <ButtonLink to="/new-space" {...useKey('C')} leftSection={<IconPlus size={18} aria-hidden />}>
      New space
    </ButtonLink>
  )
  return (
    <>
      <ViewTitle title="Spaces">{spaces.data?.length !== 0 && newSpace}</ViewTitle>
      <Loaded query={spaces} placeholder={<LoadingSpaces />}>
        {found =>
          found.length === 0 ? (
            <Empty
              picture={picture}
              title="Create your first space"
              text="A space is one website: its pages, parts, data and files, and the people who run it."
            >
              {newSpace}
            </Empty>
          ) : (
            <ul className={classes.spaces} aria-label="Spaces">
              {found.map(space => (
                <li key={space.subdomain} className={classes.space}>
                  <SpaceCard {...space} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}

type Space = Outputs['spaces']['list'][number]

const SpaceCard = ({ subdomain, name, url, icon_url }: Space) => (
  <Card
    picture={<PagePicture subdomain={subdomain} />}
    icon={<Monogram src={icon_url} name={name} size={40} radius="md" />}
    name={
      <TextLink to="/spaces/$subdomain" params={{ subdomain }}>
        {name}
      </TextLink>
    }
    address={url.replace(/^https?:\/\//, '')}
  />
)

interface CardProps {
  picture: ReactNode
  icon: ReactNode
  name: ReactNode
  address: ReactNode
}

const Card = ({ picture, icon, name, address }: CardProps) => (
  <>
    <div className={classes.picture}>{picture}</div>
    <div className={classes.about}>
      <span aria-hidden>{icon}</span>
      <div className={classes.names}>
        <div className={classes.name}>{name}</div>
        <Text size="sm" c="dimmed" component="div" className={classes.address}>
          {address}
        </Text>
      </div>
    </div>
  </>
)

const BAR = <Skeleton display="inline-block" height="0.75em" width="8rem" maw="100%" />

const LoadingSpaces = () => (
  <div role="status" aria-busy>
    <VisuallyHidden>Loading</VisuallyHidden>
    <div className={classes.spaces}>
      <div className={classes.space}>
        <Card
          picture={<Skeleton height="auto" radius={0} style={{ aspectRatio: '16 / 10' }} />}
          icon={<Skeleton height={40} width={40} radius="md" />}
          name={BAR}
          address={BAR}
        />
      </div>
    </div>
  </div>
)
