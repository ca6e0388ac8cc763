import { useIntersection } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { PICTURES } from '../../shared/dashboard.ts'
import { api } from '../api.ts'
import classes from './PagePicture.module.css'

interface PagePictureProps {
  subdomain: string
  /** The page; without it, the home page. */
  slug?: string
}

/** How far above and below the window pictures are loaded. */
const MARGIN = { rootMargin: '200px' }

/**
 * A small picture of a page as visitors see it now, which decorates the text beside it. The place of the picture sets its
 * width, and with `--scale` how small the page is. The page is loaded only while the picture is in sight, so that a long
 * list has few of them.
 */
export const PagePicture = (page: PagePictureProps) => {
  const { ref, entry } = useIntersection<HTMLDivElement>(MARGIN)
  return (
    <div ref={ref} className={classes.picture} aria-hidden>
      {entry?.isIntersecting && <Frame {...page} />}
    </div>
  )
}

/** The page in a frame in which nothing runs and nothing can be reached. */
const Frame = ({ subdomain, slug = '' }: PagePictureProps) => {
  const origin = useQuery(
    api.previews.origin.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  )
  // In the router of what makes the service evaluate pages, which is refetched after changes, but seldom.
  const { data: version } = useQuery({
    queryKey: [['delivery', 'picture'], { subdomain, slug }],
    queryFn: Date.now,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!origin.data) return null
  return (
    <iframe
      // After a change in a new frame, because in the same one it would add an entry to the window's history.
      key={version}
      title="Picture"
      src={`${origin.data}${PICTURES}${subdomain}/${slug}`}
      sandbox=""
      referrerPolicy="no-referrer"
      tabIndex={-1}
      inert
    />
  )
}
