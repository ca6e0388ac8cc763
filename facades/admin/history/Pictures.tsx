import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { isImage } from '../files/file-kind.tsx'
import { useSpace } from '../use-space.ts'
import type { State } from './describe.ts'
import classes from './Pictures.module.css'

/** The pictures of two states, side by side or one below the other. */
export const Pictures = ({ sides }: { sides: readonly { name: string; state: State }[] }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    {sides.map(({ name, state }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: always the left and the right side
      <figure key={index} className={classes.figure}>
        <figcaption className={classes.caption}>{name}</figcaption>
        {state && <Picture name={name} state={state} />}
      </figure>
    ))}
  </SimpleGrid>
)

const Picture = ({ name, state: { digest, content_type } }: { name: string; state: NonNullable<State> }) => {
  const { subdomain } = useSpace()
  const type = content_type !== null && isImage(content_type) ? content_type : null
  // Bytes with this digest never change.
  const picture = useQuery({
    ...api.history.picture.queryOptions(type && digest ? { subdomain, digest } : skipToken),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (type === null) return <Text c="dimmed">This version is not a picture.</Text>
  if (picture.isError) return <FormFailure error={picture.error} />
  if (picture.isPending) return <Skeleton height="12rem" />
  const { base64 } = picture.data
  if (base64 === null) return <Text c="dimmed">This picture is too large to show here.</Text>
  return <img className={classes.picture} src={`data:${type};base64,${base64}`} alt={`Picture: ${name}`} />
}
