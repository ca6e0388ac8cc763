import { useDebouncedValue } from '@mantine/hooks'
import { IconLayoutGrid, IconNotes } from '@tabler/icons-react'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { api, type Outputs } from '../api.ts'
import { untilComplete } from '../pages/until-complete.ts'
import type { Choice, ChoiceGroup } from './ChoiceField.tsx'
import { Excerpt } from './Excerpt.tsx'
import { ICONS } from './icons.tsx'
import { lineLink } from './line-link.ts'
import { useFoundLines, useFoundPosts } from './use-found-texts.ts'

/** How long after the last change names are searched, in ms. */
const DEBOUNCE = 120

/** Number of spaces that are offered before anything is typed. */
const RECENT_SPACES = 5

const size = 18

type Item = Outputs['spaces']['findItems'][number]

const GROUPS: Record<Item['kind'], string> = { page: 'Pages', part: 'Parts', record: 'Data', file: 'Files' }

/** Finds the person's spaces. Until the results for this text arrive, returns the results for the previous text. */
export const useFoundSpaces = (typed: string) => {
  const [text] = useDebouncedValue(typed, DEBOUNCE)
  const query = useQuery(api.spaces.find.queryOptions({ text }, { placeholderData: keepPreviousData }))
  return { query, isBusy: text !== typed || query.isLoading || query.isPlaceholderData }
}

/**
 * Finds spaces, posts, and items of the open space, by name and by text.
 *
 * @param typed the typed text, trimmed
 * @param subdomain the subdomain of the open space, if any
 */
export const useResults = (typed: string, subdomain: string | undefined) => {
  const [text] = useDebouncedValue(typed, DEBOUNCE)
  const navigate = useNavigate()
  const spaces = useFoundSpaces(typed)
  const hasText = text !== ''
  const items = useQuery(
    api.spaces.findItems.queryOptions(
      { subdomain: subdomain ?? '', text },
      { enabled: hasText && subdomain !== undefined, placeholderData: keepPreviousData },
    ),
  )
  const titles = usePageTitles(hasText ? subdomain : undefined)
  const posts = useQuery(
    api.writing.find.queryOptions({ text }, { enabled: hasText, placeholderData: keepPreviousData }),
  )
  const lines = useFoundLines(typed, subdomain)
  const postTexts = useFoundPosts(typed)

  const open = ({ kind, id, name }: Item) => {
    const params = { subdomain: subdomain! }
    if (kind === 'page')
      return navigate({ to: '/spaces/$subdomain/pages/$pageId', params: { ...params, pageId: id } })
    if (kind === 'part')
      return navigate({ to: '/spaces/$subdomain/parts/$partId', params: { ...params, partId: id } })
    if (kind === 'record')
      return navigate({ to: '/spaces/$subdomain/data/$key', params: { ...params, key: id } })
    return navigate({ to: '/spaces/$subdomain/files', params, search: { q: name } })
  }
  const itemsOf = (kind: Item['kind']): ChoiceGroup => ({
    label: GROUPS[kind],
    choices: (items.data ?? [])
      .filter(item => item.kind === kind)
      .map(item => choiceOf(item, item.name, kind === 'page' ? titles.titleOf(item.id) : undefined)),
  })
  const choiceOf = (item: Item, title: string, about: string | undefined): Choice => ({
    id: `${item.kind}-${item.id}`,
    title,
    ...(about === undefined ? {} : { text: about }),
    icon: ICONS[item.kind],
    choose: () => void open(item),
  })
  const pagesOf = (): ChoiceGroup => {
    const { label, choices } = itemsOf('page')
    const known = new Set(items.data?.map(({ id }) => id))
    const titled = titles.find(text).filter(({ id }) => !known.has(id))
    return {
      label,
      choices: [
        ...choices,
        ...titled.map(({ id, slug, title }) => choiceOf({ kind: 'page', id, name: slug }, title, slug)),
      ],
    }
  }
  const foundSpaces = spaces.query.data?.spaces ?? []
  const shownSpaces = hasText
    ? foundSpaces
    : foundSpaces.filter(space => space.subdomain !== subdomain).slice(0, RECENT_SPACES)
  const groups: ChoiceGroup[] = [
    ...(hasText ? [pagesOf(), ...(['part', 'record', 'file'] as const).map(itemsOf)] : []),
    {
      label: 'Spaces',
      choices: shownSpaces.map(space => ({
        id: `space-${space.subdomain}`,
        title: space.name,
        text: space.subdomain,
        icon: <IconLayoutGrid size={size} aria-hidden />,
        choose: () => void navigate({ to: '/spaces/$subdomain', params: { subdomain: space.subdomain } }),
      })),
    },
    {
      label: 'Posts',
      choices: (hasText ? (posts.data ?? []) : []).map(post => ({
        id: `post-${post.id}`,
        title: post.title,
        ...(post.is_draft ? { text: 'Draft' } : {}),
        icon: <IconNotes size={size} aria-hidden />,
        choose: () => void navigate({ to: '/posts/$postId', params: { postId: post.id } }),
      })),
    },
  ]
  const titledPosts = new Set(posts.data?.map(({ id }) => id))
  const inTexts: ChoiceGroup = {
    label: 'In the text',
    choices: [
      ...(lines.data?.lines ?? []).map(line => ({
        id: `line-${line.kind}-${line.id}-${line.in}`,
        title: shownText(line.name),
        text: line.in === 'html' ? `line ${line.line}` : line.in,
        excerpt: <Excerpt text={shownText(line.excerpt)} match={typed} />,
        icon: ICONS[line.kind],
        choose: () => void navigate(lineLink(subdomain!, line)),
      })),
      ...(postTexts.data ?? [])
        .filter(({ id }) => !titledPosts.has(id))
        .map(post => ({
          id: `post-text-${post.id}`,
          title: post.title,
          text: post.is_draft ? 'Draft' : 'Post',
          excerpt: <Excerpt text={post.excerpt} match={typed} />,
          icon: <IconNotes size={size} aria-hidden />,
          choose: () => void navigate({ to: '/posts/$postId', params: { postId: post.id } }),
        })),
    ],
  }
  const named = groups.some(({ choices }) => choices.length > 0)
  const used = [spaces.query, ...(hasText ? [posts, ...(subdomain === undefined ? [] : [items])] : [])]
  const failed = [...used, lines, postTexts].filter(({ error }) => error !== null)
  const isBusy = spaces.isBusy || used.some(query => query.isLoading || query.isPlaceholderData)
  return {
    groups: [...groups, inTexts],
    // Texts take longer. They come after what has this name, so nobody needs to wait for them to open that.
    isBusy: isBusy || (!named && (lines.isBusy || postTexts.isBusy)),
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const query of failed) void query.refetch()
    },
  }
}

/** How long titles are cached, in ms. To find them, the service has to evaluate the pages. */
const STALE_TIME = 60_000

/** Maximum number of pages to find by title. */
const MAX_FOUND = 6

/**
 * Finds pages of a space by their document titles. Other results do not wait for the titles: until the titles have
 * loaded, or if loading fails, no page has a title.
 *
 * @param subdomain undefined to find nothing
 */
export const usePageTitles = (subdomain: string | undefined) => {
  const { data } = useQuery(
    api.delivery.pageTitles.queryOptions(subdomain === undefined ? skipToken : { subdomain }, {
      staleTime: STALE_TIME,
      ...untilComplete,
    }),
  )
  return useMemo(() => {
    const titled = (data?.pages ?? []).map(page => ({ ...page, lower: page.title.toLowerCase() }))
    const byId = new Map(titled.map(({ id, title }) => [id, title]))
    return {
      titleOf: (id: string): string | undefined => byId.get(id),
      /** Returns the pages whose titles contain all words of `text`. Titles that start with `text` come first. */
      find: (text: string) => {
        const typed = text.toLowerCase()
        const words = typed.split(/\s+/)
        const found = titled.filter(({ lower }) => words.every(word => lower.includes(word)))
        const [first, others] = [true, false].map(isFirst =>
          found.filter(({ lower }) => lower.startsWith(typed) === isFirst),
        )
        return [...first!, ...others!].slice(0, MAX_FOUND)
      },
    }
  }, [data])
}
