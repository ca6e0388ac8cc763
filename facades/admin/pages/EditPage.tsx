import { Alert, Anchor, Group, Input, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { rules } from '../../../routers/api/rules.ts'
import { api, type Outputs, queryClient, rpc } from '../api.ts'
import { EditorSession, IN_PLACE, type OpenEditor } from '../editor/EditorSession.tsx'
import { TemplateEditor } from '../editor/TemplateEditor.tsx'
import { type Stored, type TemplateDraft, useTemplateDraft } from '../editor/use-template-draft.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { firstField } from '../ui/first-field.ts'
import { LiveAddress } from '../ui/LiveAddress.tsx'
import { slugOf } from '../ui/slug.ts'
import { useSpace } from '../use-space.ts'
import type { ExampleName } from '../view-search.ts'
import { BLANK, blankBody, EXAMPLES, type PageValues } from './examples.ts'
import { isHomePage, visitorUrl } from './home-page.ts'
import { StartFrom } from './StartFrom.tsx'

/** Converts a page from the API to the shape that the editor uses. */
const storedPage = ({ id, slug, kind, html, updated_at }: Outputs['pages']['get']): Stored<PageValues> => ({
  id,
  fields: { slug, kind, html },
  updated_at,
})

/** A new page. @param example the name of the example to start with */
const newPage = (example: ExampleName | undefined): Stored<PageValues> => {
  const { slug, kind, html } = example === undefined ? BLANK : EXAMPLES[example]
  return { id: null, fields: { slug, kind, html }, updated_at: null }
}

/** The view that creates or edits a page. */
export const EditPage = () => {
  const { subdomain } = useSpace()
  const { pageId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { draft, example, at } = useSearch({ from: '/signed-in/spaces/$subdomain/page-editor' })
  return (
    <EditorSession<PageValues, Outputs['pages']['get']>
      place={{ subdomain, kind: 'page' }}
      id={pageId}
      draft={draft}
      query={page_id => api.pages.get.queryOptions({ subdomain, page_id })}
      navigate={created =>
        void navigate({
          to: '/spaces/$subdomain/pages/$pageId',
          params: { subdomain, pageId: created },
          ...IN_PLACE,
        })
      }
    >
      {(page, editor) => (
        <PageEditor initial={page ? storedPage(page) : newPage(example)} at={at} {...editor} />
      )}
    </EditorSession>
  )
}

interface PageEditorProps extends OpenEditor<PageValues> {
  initial: Stored<PageValues>
  /** The offset in the body at which the editor opens. */
  at: string | undefined
}

const PageEditor = ({ initial, at, restored, newId, onCreated }: PageEditorProps) => {
  const { subdomain, url } = useSpace()
  // The address of a page that this editor has just created.
  const [liveUrl, setLiveUrl] = useState<string | null>(null)
  const isNewSpace = useLocation({ select: ({ state }) => state.isNewSpace === true })
  const [isWelcome, setIsWelcome] = useState(isNewSpace)
  const titleField = useRef<HTMLInputElement>(null)
  const draft = useTemplateDraft<PageValues>({
    stored: initial,
    restored,
    place: { subdomain, kind: 'page', newId },
    save: async (fields, { id, updated_at }) => {
      if (id === null) {
        const created = await rpc.pages.create.mutate({ subdomain, ...fields })
        const page = { ...created, html: fields.html }
        queryClient.setQueryData(api.pages.get.queryKey({ subdomain, page_id: page.id }), page)
        setLiveUrl(visitorUrl(url, page))
        return { saved: true, stored: storedPage(page) }
      }
      const input = { subdomain, page_id: id, ...fields, base: updated_at ?? '' }
      const result = await rpc.editing.savePage.mutate(input)
      return result.saved
        ? { saved: true, stored: storedPage({ ...result.page, html: fields.html }) }
        : { saved: false, theirs: storedPage(result.theirs) }
    },
    onSaved: () => {
      void queryClient.invalidateQueries(api.pages.pathFilter())
      void queryClient.invalidateQueries(api.delivery.pathFilter())
    },
    onCreated: created => {
      // The title field goes away. Its focus moves to the text that it named.
      if (titleField.current === document.activeElement) draft.editor.current?.focus()
      onCreated(created)
    },
  })
  const { id } = draft.base
  const { data: page, error } = useQuery(
    api.pages.get.queryOptions(id === null ? skipToken : { subdomain, page_id: id }),
  )
  const address = page && visitorUrl(url, page)
  const { title, setTitle } = useNewTitle(draft)
  const pages = useQuery(api.pages.list.queryOptions({ subdomain }))
  const slug = draft.fields.slug.trim()
  // While the page is being created, the list may already have it.
  const taken = draft.saving.isPending
    ? undefined
    : pages.data?.data.find(other => other.slug === slug && other.id !== id)
  return (
    <TemplateEditor
      what="page"
      labels={{ slug: 'Slug', kind: 'Kind' }}
      maxLength={rules.page.html_max_length}
      draft={{
        ...draft,
        discard: stored => {
          draft.discard(stored)
          setTitle('')
        },
      }}
      newest={page && storedPage(page)}
      error={error}
      deletion={{
        remove: page_id => rpc.pages.delete.mutate({ subdomain, page_id }),
        children: `${page?.url} stops working immediately. You can restore it from the history.`,
      }}
      text={
        address && (
          <Group component="span" gap="xs">
            <Anchor href={address} target="_blank" rel="noopener" size="sm">
              {address.replace(/^https?:\/\//, '')}
            </Anchor>
            <CopyButton value={address} what="address" />
          </Group>
        )
      }
      fields={({ errors, set }) => (
        <PageFields
          {...draft.fields}
          errors={errors}
          taken={taken?.id}
          {...(id === null && { title, titleField, onTitle: setTitle })}
          onSlug={slug => set('slug', slug)}
          onKind={kind => set('kind', kind)}
        />
      )}
      evaluate={(fields, beside, editor, signal) =>
        rpc.previews.page.mutate({ subdomain, editor, ...fields, beside, marked: true }, { signal })
      }
      savedUrl={address}
      at={at}
    >
      {isWelcome && (
        <LiveNotice
          intro="Your site is live at"
          url={url}
          what="the address"
          openLabel="Open site"
          onClose={() => setIsWelcome(false)}
        >
          Click a text or picture on the page to change it.
        </LiveNotice>
      )}
      {liveUrl !== null && (
        <LiveNotice
          intro="It is live at"
          url={liveUrl}
          what="the page’s address"
          openLabel="Open page"
          onClose={() => setLiveUrl(null)}
        />
      )}
      {id === null && <StartFrom subdomain={subdomain} isTyped={draft.isTyped} onChoose={draft.replace} />}
    </TemplateEditor>
  )
}

interface LiveNoticeProps extends ComponentProps<typeof LiveAddress> {
  onClose: () => void
  children?: ReactNode
}

/** Says that a page or site is public now, and where. */
const LiveNotice = ({ onClose, children, ...address }: LiveNoticeProps) => (
  <Alert
    color="leaf"
    mb="md"
    role="status"
    icon={<IconCheck aria-hidden />}
    withCloseButton
    closeButtonLabel="Close"
    onClose={onClose}
  >
    <Group gap="sm">
      <LiveAddress {...address} />
    </Group>
    {children && (
      <Text size="sm" mt="xs">
        {children}
      </Text>
    )}
  </Alert>
)

/**
 * The title of a page that has not been saved. As long as they were not changed in another way, the slug is derived from
 * the title, and a blank page shows it.
 */
const useNewTitle = (draft: TemplateDraft<PageValues>) => {
  const [title, setTitle] = useState('')
  const body = useRef(BLANK.html)
  const suggested = useRef('')
  return {
    title,
    setTitle: (typed: string) => {
      setTitle(typed)
      const { slug, html } = draft.currentFields()
      if (slug === '' || slug === suggested.current) {
        suggested.current = slugOf(typed, rules.page.slug.max_length)
        draft.setField('slug', suggested.current)
      }
      const editor = draft.editor.current
      if (html !== body.current || !editor) return
      body.current = blankBody(typed)
      editor.setText(body.current)
    },
  }
}

interface PageFieldsProps {
  slug: string
  kind: string
  errors: Record<string, string>
  /** The id of another page that has the slug. */
  taken: string | undefined
  /** The title of a page that has not been saved yet. */
  title?: string
  titleField?: RefObject<HTMLInputElement | null>
  onTitle?: (title: string) => void
  onSlug: (slug: string) => void
  onKind: (kind: string) => void
}

const KINDS: Record<string, string> = {
  scripted: 'Runs your HTML, CSS and JavaScript unchanged, on a separate origin.',
  static: 'Shown directly on the site, without scripts, forms or embeds.',
}

/** A page's slug and kind. */
export const PageFields = ({
  slug,
  kind,
  errors,
  taken,
  title,
  titleField,
  onTitle,
  onSlug,
  onKind,
}: PageFieldsProps) => {
  const { subdomain, url } = useSpace()
  const id = useId()
  const titleRef = useMergedRef(titleField, firstField.ref)
  return (
    <Group align="flex-start" gap="lg" mb="md">
      {onTitle && (
        <TextInput
          style={{ flex: '1 1 16rem', maxWidth: '28rem' }}
          label="Title"
          description="The slug and the heading of a blank page follow it."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={title}
          onChange={event => onTitle(event.currentTarget.value)}
          autoComplete="off"
          {...firstField}
          ref={titleRef}
        />
      )}
      <TextInput
        style={{ flex: '1 1 16rem', maxWidth: '28rem' }}
        label="Slug"
        description={
          isHomePage(slug.trim())
            ? `The home page: ${url.replace(/^https?:\/\//, '')}/`
            : `The page’s address: ${url.replace(/^https?:\/\//, '')}/${slug.trim() || '…'}. Use the slug “index” for the home page.`
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={slug}
        onChange={event => onSlug(event.currentTarget.value)}
        error={
          taken === undefined ? (
            errors.slug
          ) : (
            <>
              Another page has this slug. Choose a different one, or{' '}
              <TextLink size="xs" to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: taken }}>
                open that page
              </TextLink>
              .
            </>
          )
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Input.Wrapper
        label="Kind"
        labelElement="div"
        labelProps={{ id }}
        description={KINDS[kind]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={errors.kind}
        style={{ flex: '1 1 18rem', maxWidth: '32rem' }}
      >
        <div>
          <SegmentedControl
            aria-labelledby={id}
            value={kind}
            onChange={onKind}
            data={[
              { value: 'scripted', label: 'Scripted' },
              { value: 'static', label: 'Static' },
            ]}
          />
        </div>
      </Input.Wrapper>
    </Group>
  )
}
