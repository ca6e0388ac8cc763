import { useDebouncedValue } from '@mantine/hooks'
import { IconDatabase, IconFile, IconFiles, IconLayoutGrid, IconNotes, IconPuzzle } from '@tabler/icons-react'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, type Outputs } from '../api.ts'
import { untilComplete } from '../pages/until-complete.ts'
import type { Choice, ChoiceGroup } from './ChoiceField.tsx'

/** How long after the last change the search starts, in ms. */
const DEBOUNCE = 120

/** Number of spaces that are offered before anything is typed. */
const RECENT_SPACES = 5

const size = 18

type Item = Outputs['spaces']['findItems'][number]

const KINDS: Record<Item['kind'], { group: string; icon: Choice['icon'] }> = {
  page: { group: 'Pages', icon: <IconFile size={size} aria-hidden /> },
  part: { group: 'Parts', icon: <IconPuzzle size={size} aria-hidden /> },
  record: { group: 'Data', icon: <IconDatabase size={size} aria-hidden /> },
  file: { group: 'Files', icon: <IconFiles size={size} aria-hidden /> },
}

/** Finds the person's spaces. Until the results for this text arrive, returns the results for the previous text. */
export const useFoundSpaces = (typed: string) => {
  const [text] = useDebouncedValue(typed, DEBOUNCE)
  const query = useQuery(api.spaces.find.queryOptions({ text }, { placeholderData: keepPreviousData }))
  return { query, isBusy: text !== typed || query.isLoading || query.isPlaceholderData }
}

/**
 * Finds spaces, posts, and items of the open space.
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
    label: KINDS[kind].group,
    choices: (items.data ?? [])
      .filter(item => item.kind === kind)
      .map(item => choiceOf(item, item.name, kind === 'page' ? titles.titleOf(item.id) : undefined)),
  })
  const choiceOf = (item: Item, title: string, about: string | undefined): Choice => ({
    id: `${item.kind}-${item.id}`,
    title,
    ...(about === undefined ? {} : { text: about }),
    icon: KINDS[item.kind].icon,
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
  const used = [spaces.query, ...(hasText ? [posts, ...(subdomain === undefined ? [] : [items])] : [])]
  const failed = used.filter(({ isError }) => isError)
  return {
    groups,
    isBusy: spaces.isBusy || used.some(query => query.isLoading || query.isPlaceholderData),
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
