import { Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { skipToken, useQuery } from '@tanstack/react-query'
import { api, client, queries } from '../api.ts'
import { Gone, isGone } from '../editor/Gone.tsx'
import { SaveButton } from '../editor/SaveButton.tsx'
import { type Stored, useEditing } from '../editor/use-editing.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { DeletePart } from './DeletePart.tsx'
import { PartEditor } from './PartEditor.tsx'
import { type PartFieldsOf, storedPart } from './stored-part.ts'
import { inNumbers, WhatBreaks } from './UsedBy.tsx'

interface OpenPartProps {
  initial: Stored<PartFieldsOf>
  /** Called with the id of a new part once it is stored. */
  onCreated: (id: string) => void
}

/** A part being written, new or not. */
export const OpenPart = ({ initial, onCreated }: OpenPartProps) => {
  const { subdomain, name } = useSpace()
  const [isAsking, { open, close }] = useDisclosure()
  const editing = useEditing<PartFieldsOf>({
    stored: initial,
    save: async (fields, { id, updated_at }) => {
      if (id === null) {
        const made = await client.parts.create.mutate({ subdomain, ...fields })
        return { saved: true, stored: storedPart({ ...made, html: fields.html }) }
      }
      const input = { subdomain, part_id: id, ...fields, base: updated_at ?? '' }
      const answer = await client.templates.savePart.mutate(input)
      return answer.saved
        ? { saved: true, stored: storedPart({ ...answer.part, html: fields.html }) }
        : { saved: false, theirs: storedPart(answer.theirs) }
    },
    onSaved: () => void queries.invalidateQueries(api.parts.pathFilter()),
    onCreated,
  })
  const { base, fields, saving } = editing
  const { data: part, error } = useQuery(
    api.parts.get.queryOptions(base.id === null ? skipToken : { subdomain, part_id: base.id }),
  )
  const breaking = part && inNumbers(part.used_by)
  const save = () => {
    if (fields.name.trim() !== base.fields.name && breaking) open()
    else editing.save()
  }
  return (
    <>
      <ViewTitle title={base.id === null ? 'New part' : base.fields.name} of={name}>
        <SaveButton
          isNew={base.id === null}
          isUnsaved={editing.isUnsaved}
          isSaving={saving.isPending}
          isDisabled={editing.theirs !== null}
          onSave={save}
        />
        {part && <DeletePart subdomain={subdomain} part={part} />}
      </ViewTitle>
      {base.id !== null && (isGone(error) || isGone(saving.error)) && (
        <Gone what="part" onKeep={editing.saveAnew} />
      )}
      <PartEditor editing={editing} onSave={save} newest={part && storedPart(part)} uses={part?.used_by} />
      {part && (
        <Confirm
          opened={isAsking}
          onClose={close}
          title={`Rename ${base.fields.name} to ${fields.name.trim()}?`}
          action="Rename part"
          onConfirm={() => {
            close()
            editing.save()
          }}
        >
          <Text size="sm">
            {breaking} take it in by its old name, and show an error until that is changed in them:
          </Text>
          <WhatBreaks uses={part.used_by} />
        </Confirm>
      )}
    </>
  )
}
