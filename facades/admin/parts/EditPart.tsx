import { Box, Button, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { limits, rules } from '../../../routers/api/rules.ts'
import { api, type Outputs, queryClient, rpc } from '../api.ts'
import { EditorSession, IN_PLACE, type OpenEditor } from '../editor/EditorSession.tsx'
import { TemplateEditor } from '../editor/TemplateEditor.tsx'
import { type Stored, useTemplateDraft } from '../editor/use-template-draft.ts'
import { DialogActions } from '../ui/Confirm.tsx'
import { firstField } from '../ui/first-field.ts'
import { notifySuccess } from '../ui/notify.ts'
import { useSpace } from '../use-space.ts'
import { type PartValues, storedPart } from './stored-part.ts'
import { BrokenUses, countUses, UsedBy, type Uses } from './UsedBy.tsx'

const EXAMPLE = `<nav>
  {% for other in pages %}
    <a href="{{ other.url }}">{{ other.slug }}</a>
  {% endfor %}
</nav>
`

/** A new part, with a menu as an example. */
const NEW_PART: Stored<PartValues> = {
  id: null,
  fields: { name: '', html: EXAMPLE },
  updated_at: null,
}

/** Whether a part is a layout: it defines blocks that pages fill in, so pages include it with `layout`. */
const definesBlocks = (html: string) => /\{%-?\s*block\b/.test(html)

/** The option that previews the part without a page. */
const ALONE = 'alone'

const idOf = ({ id }: { id: string }) => id

/** The view that creates or edits a part. */
export const EditPart = () => {
  const { subdomain } = useSpace()
  const { partId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { draft, at } = useSearch({ from: '/signed-in/spaces/$subdomain/part-editor' })
  return (
    <EditorSession<PartValues, Outputs['parts']['get']>
      place={{ subdomain, kind: 'part' }}
      id={partId}
      draft={draft}
      query={part_id => api.parts.get.queryOptions({ subdomain, part_id })}
      navigate={created =>
        void navigate({
          to: '/spaces/$subdomain/parts/$partId',
          params: { subdomain, partId: created },
          ...IN_PLACE,
        })
      }
    >
      {(part, editor) => <PartEditor part={part} at={at} {...editor} />}
    </EditorSession>
  )
}

interface PartEditorProps extends OpenEditor<PartValues> {
  /** Undefined for a new part. */
  part: Outputs['parts']['get'] | undefined
  /** The offset in the body at which the editor opens. */
  at: string | undefined
}

const PartEditor = ({ part: initial, at, restored, newId, onCreated }: PartEditorProps) => {
  const { subdomain } = useSpace()
  const [isAsking, { open, close }] = useDisclosure()
  // The pages and parts in which the next save also updates the part's name; null if the save changes only the part.
  const updated = useRef<Uses | null>(null)
  const draft = useTemplateDraft<PartValues>({
    stored: initial ? storedPart(initial) : NEW_PART,
    restored,
    place: { subdomain, kind: 'part', newId },
    mayBeSaved: () => {
      updated.current = null
      if (name === base.fields.name || !users) return true
      reloadUses()
      open()
      return false
    },
    save: async (fields, { id, updated_at }) => {
      if (id === null) {
        const created = await rpc.parts.create.mutate({ subdomain, ...fields })
        return { saved: true, stored: storedPart({ ...created, html: fields.html }) }
      }
      const uses = updated.current
      const result = await rpc.editing.savePart.mutate({
        subdomain,
        part_id: id,
        ...fields,
        base: updated_at ?? '',
        ...(uses && { uses: { pages: uses.pages.map(idOf), parts: uses.parts.map(idOf) } }),
      })
      if (!result.saved) return { saved: false, theirs: storedPart(result.theirs) }
      if (uses) notifySuccess(`${countUses(uses)} updated`)
      return { saved: true, stored: storedPart({ ...result.part, html: fields.html }) }
    },
    onSaved: () => {
      if (updated.current) void queryClient.invalidateQueries(api.pages.pathFilter())
      void queryClient.invalidateQueries(api.parts.pathFilter())
      void queryClient.invalidateQueries(api.delivery.pathFilter())
    },
    onCreated,
  })
  const { base, fields } = draft
  const name = fields.name.trim()
  const {
    data: part,
    error,
    isFetching,
  } = useQuery(api.parts.get.queryOptions(base.id === null ? skipToken : { subdomain, part_id: base.id }))
  const uses = part?.used_by
  const users = uses && countUses(uses)
  // Pages that use this part may have changed since the view was opened.
  const reloadUses = () => void queryClient.invalidateQueries(api.parts.get.pathFilter())
  const [chosen, setPreviewIn] = useState(initial?.used_by.pages[0]?.id ?? ALONE)
  // The chosen page can be deleted, or stop using the part.
  const previewIn = uses?.pages.some(({ id }) => id === chosen) ? chosen : ALONE
  return (
    <>
      <TemplateEditor
        what="part"
        labels={{ name: 'Name' }}
        maxLength={rules.part.html_max_length}
        draft={draft}
        newest={part && storedPart(part)}
        error={error}
        deletion={{
          onOpen: reloadUses,
          remove: part_id => rpc.parts.delete.mutate({ subdomain, part_id }),
          children: (
            <>
              <Text size="sm">You can restore it from the history.</Text>
              {users && (
                <>
                  <Text size="sm" mt="xs">
                    {users} will show an error:
                  </Text>
                  <BrokenUses uses={uses} />
                </>
              )}
            </>
          ),
        }}
        fields={({ errors, set }) => (
          <>
            <TextInput
              label="Name"
              description={`Include it with {% ${definesBlocks(draft.currentFields().html) ? 'layout' : 'render'} '${name || '…'}' %}`}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maw="28rem"
              mb="sm"
              value={fields.name}
              onChange={event => set('name', event.currentTarget.value)}
              error={errors.name}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...(base.id === null && firstField)}
            />
            {uses && (
              <Box mb="sm">
                <UsedBy uses={uses} />
              </Box>
            )}
          </>
        )}
        evaluate={(fields, beside, editor, signal) =>
          rpc.previews.part.mutate(
            {
              subdomain,
              editor,
              beside,
              ...fields,
              marked: true,
              ...(base.id === null ? {} : { part_id: base.id }),
              ...(previewIn === ALONE ? {} : { page_id: previewIn }),
            },
            { signal },
          )
        }
        previewIn={previewIn}
        at={at}
        previewControls={
          uses &&
          uses.pages.length > 0 && (
            <Select
              size="xs"
              w="9rem"
              aria-label="Preview in"
              allowDeselect={false}
              value={previewIn}
              onChange={page => setPreviewIn(page ?? ALONE)}
              data={[
                ...uses.pages.map(({ id, slug }) => ({ value: id, label: `In ${slug}` })),
                { value: ALONE, label: 'Part only' },
              ]}
            />
          )
        }
      />
      {part && (
        <RenamePart
          part={part}
          name={name}
          opened={isAsking}
          isLoading={isFetching}
          onClose={close}
          onRename={isEverywhere => {
            close()
            updated.current = isEverywhere ? part.used_by : null
            draft.saveNow()
          }}
        />
      )}
    </>
  )
}

interface RenamePartProps {
  part: Outputs['parts']['get']
  /** The new name. */
  name: string
  opened: boolean
  /** Whether the uses of the part are still being loaded. */
  isLoading: boolean
  onClose: () => void
  /** Called to rename the part. `isEverywhere` says whether to replace the name in the pages and parts that use it. */
  onRename: (isEverywhere: boolean) => void
}

/** Asks whether to replace a part's old name in the pages and parts that use it. */
export const RenamePart = ({ part, name, opened, isLoading, onClose, onRename }: RenamePartProps) => {
  const { pages, parts } = part.used_by
  const count = pages.length + parts.length
  const users = countUses(part.used_by)
  // A label that names both pages and parts does not fit on a phone.
  const what = pages.length > 0 && parts.length > 0 ? `${count} items` : users
  const isTooMany = count > limits.renamedUses
  return (
    <Modal opened={opened} onClose={onClose} title={`Rename ${part.name} to ${name}?`} centered>
      <form
        onSubmit={event => {
          event.preventDefault()
          onRename(count > 0 && !isTooMany)
        }}
      >
        <Stack>
          {count === 0 ? (
            <Text size="sm">Nothing uses this part anymore.</Text>
          ) : (
            <div>
              <Text size="sm">
                {users} {count === 1 ? 'uses' : 'use'} this part. If you rename only the part,{' '}
                {count === 1
                  ? 'it shows an error until you update it:'
                  : 'they show an error until you update them:'}
              </Text>
              <BrokenUses uses={part.used_by} />
            </div>
          )}
          {isTooMany && (
            <Text size="sm">A rename can update at most {limits.renamedUses} pages and parts at once.</Text>
          )}
          <DialogActions onCancel={onClose}>
            {count > 0 && (
              <Button variant="default" onClick={() => onRename(false)}>
                Rename only
              </Button>
            )}
            {!isTooMany && (
              <Button type="submit" loading={isLoading} data-autofocus>
                {count === 0 ? 'Rename part' : `Rename and update ${what}`}
              </Button>
            )}
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
