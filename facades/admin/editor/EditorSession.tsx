import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { TRPCClientErrorLike } from '@trpc/client'
import type { TRPCQueryKey } from '@trpc/tanstack-react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { AppRouter } from '../../../routers/index.ts'
import { FailureView } from '../ui/FailureView.tsx'
import { Loading } from '../ui/Loading.tsx'
import type { DraftPlace } from '../unsaved/draft-place.ts'
import { type Restored, useLoadedDraft } from '../unsaved/use-editing.ts'

/** What an editor gets in addition to its item. */
export interface OpenEditor<F> {
  /** The unsaved changes that the editor starts with; null if there are none. */
  restored: Restored<F> | null
  /** Identifies the draft until the first save. */
  newId: string
  /** To be called with the id after the first save of a new item. */
  onCreated: (id: string) => void
}

interface EditorSessionProps<F, Item> {
  /** The kind of item and its space. */
  place: Pick<DraftPlace, 'subdomain' | 'kind'>
  /** The id or key in the URL; undefined for a new item. */
  id: string | undefined
  /** The search parameter that identifies the draft of a new item. */
  draft: string | undefined
  /** Returns the query that reads an item. */
  query: (id: string) => UseQueryOptions<Item, TRPCClientErrorLike<AppRouter>, Item, TRPCQueryKey>
  /** Called with the id of a new item; must open the item's URL with the options `IN_PLACE`. */
  navigate: (id: string) => void
  /** The title while there is no editor; by default, the placeholder stands alone. */
  title?: ReactNode
  placeholder?: ReactNode
  /** Explains a particular failure; returns false for any other. */
  explain?: (error: unknown) => ReactNode
  /** Renders the editor. The item is undefined for a new one. */
  children: (item: Item | undefined, editor: OpenEditor<F>) => ReactNode
}

/** An open editor and the id of the item being edited in it. */
interface Session {
  /** React key of the editor. A changed key mounts a new editor. */
  key: number
  /** Undefined for a new item. */
  id: string | undefined
  /** Identifies the draft of a new item. */
  draft: string | undefined
  /** The id that a new item got when it was first saved. */
  createdId?: string
}

/**
 * Navigation options for changing the URL while the editor stays open: no leave warning, no scrolling, and no
 * history entry, so that Back does not lead to an empty form.
 */
export const IN_PLACE = {
  replace: true,
  ignoreBlocker: true,
  resetScroll: false,
  state: { keepsFocus: true },
} as const

const sessionFor = (session: Session, id: string | undefined, draft: string | undefined): Session => {
  if (session.id === id && (id !== undefined || session.draft === draft)) return session
  return id !== undefined && session.createdId === id
    ? { ...session, id }
    : { key: session.key + 1, id, draft }
}

/**
 * Loads an item and its kept draft, and opens the editor. When the first save of a new item changes the URL, the same
 * editor stays open. Another item in the URL opens another editor.
 */
export const EditorSession = <F, Item>({ id, draft, navigate, ...props }: EditorSessionProps<F, Item>) => {
  const [before, setSession] = useState<Session>({ key: 0, id, draft })
  const session = sessionFor(before, id, draft)
  if (session !== before) setSession(session)
  const { key } = session
  const openKey = useRef<number>(undefined)
  useEffect(() => {
    openKey.current = key
    return () => {
      openKey.current = undefined
    }
  }, [key])
  return (
    <LoadedEditor
      {...props}
      key={key}
      id={session.id}
      draft={session.draft}
      onCreated={createdId => {
        // Do not navigate if the person left this editor while it was saving.
        if (openKey.current !== key) return
        setSession({ ...session, createdId })
        navigate(createdId)
      }}
    />
  )
}

const LoadedEditor = <F, Item>({
  place,
  id,
  draft,
  query,
  onCreated,
  title,
  placeholder = <Loading />,
  explain,
  children,
}: Omit<EditorSessionProps<F, Item>, 'navigate'> & Pick<OpenEditor<F>, 'onCreated'>) => {
  // Ignores the id that a new item gets later. From then on, the editor itself reads the item.
  const [initialId] = useState(id)
  const item = useQuery({
    ...query(initialId ?? ''),
    enabled: initialId !== undefined,
    // Keep what explains that the item is missing when the person comes back to the tab.
    refetchOnWindowFocus: ({ state }) => state.data !== undefined,
  })
  const { newId, restored } = useLoadedDraft<F>({ ...place, id: initialId, draftId: draft })
  // A failed refetch must not close an open editor.
  if (restored !== undefined && (initialId === undefined || item.data !== undefined))
    return children(item.data, { restored, newId, onCreated })
  return (
    <>
      {title}
      {restored === undefined || item.isPending
        ? placeholder
        : explain?.(item.error) || (
            <FailureView level={title ? 2 : 1} error={item.error} retry={() => void item.refetch()} />
          )}
    </>
  )
}
