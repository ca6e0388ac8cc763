import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import picture from '../../shared/illustrations/spaces.svg?raw'
import { api } from '../api.ts'
import { Monogram } from '../icon/Monogram.tsx'
import { ButtonLink, TextLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'

/** Lists the spaces that the person participates in. */
export const Spaces = () => {
  const spaces = useQuery(api.spaces.list.queryOptions())
  const newSpace = (
    <ButtonLink to="/new-space" leftSection={<IconPlus size={18} aria-hidden />}>
      New space
    </ButtonLink>
  )
  return (
    <>
      <ViewTitle title="Spaces">{spaces.data?.length !== 0 && newSpace}</ViewTitle>
      <Loaded query={spaces} placeholder={<LoadingRows count={2} />}>
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
            <Rows label="Spaces">
              {found.map(({ subdomain, name, url, icon_url }) => (
                <Row
                  key={subdomain}
                  icon={<Monogram src={icon_url} name={name} size={40} radius="md" />}
                  title={
                    <TextLink to="/spaces/$subdomain" params={{ subdomain }}>
                      {name}
                    </TextLink>
                  }
                  text={url.replace(/^https?:\/\//, '')}
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </>
  )
}
