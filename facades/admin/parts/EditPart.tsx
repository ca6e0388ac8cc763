import { Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, client, type Outputs, queries } from '../api.ts'
import { Gone, isGone } from '../editor/Gone.tsx'
import { SaveButton } from '../editor/SaveButton.tsx'
import { useEditing } from '../editor/use-editing.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { DeletePart } from './DeletePart.tsx'
import { PartEditor } from './PartEditor.tsx'
import { type PartFieldsOf, storedPart } from './stored-part.ts'
import { inNumbers, UsedBy, WhatBreaks } from './UsedBy.tsx'

/** Changes a part. */
export const EditPart = () => {
  const { partId } = useParams({ from: '/inside/spaces/$subdomain/parts/$partId' })
  const { subdomain } = useSpace()
  const part = useQuery(api.parts.get.queryOptions({ subdomain, part_id: partId }))
  if (part.isPending) return <Loading />
  if (!part.data) return <FailureView level={1} error={part.error} retry={() => void part.refetch()} />
  return <OpenPart key={partId} part={part.data} error={part.error} />
}

interface OpenPartProps {
  part: Outputs['parts']['get']
  /** Why it could not be read anew. */
  error: unknown
}

const OpenPart = ({ part, error }: OpenPartProps) => {
  const navigate = useNavigate()
  const { subdomain, name } = useSpace()
  const [isAsking, { open, close }] = useDisclosure()
  const editing = useEditing<PartFieldsOf>({
    stored: storedPart(part),
    save: async (fields, base) => {
      const input = { subdomain, part_id: part.id, ...fields, base: base ?? '' }
      const answer = await client.templates.savePart.mutate(input)
      return answer.saved
        ? { saved: true, stored: storedPart({ ...answer.part, html: fields.html }) }
        : { saved: false, theirs: storedPart(answer.theirs) }
    },
    onSaved: () => void queries.invalidateQueries(api.parts.pathFilter()),
  })
  const keep = async () => {
    const made = await client.parts.create.mutate({ subdomain, ...editing.current() })
    await navigate({
      to: '/spaces/$subdomain/parts/$partId',
      params: { subdomain, partId: made.id },
      ignoreBlocker: true,
    })
    void queries.invalidateQueries(api.parts.list.pathFilter())
  }
  const { base, fields } = editing
  const breaking = inNumbers(part.used_by)
  const save = () => {
    if (fields.name.trim() !== base.fields.name && breaking) open()
    else editing.save()
  }
  return (
    <>
      <ViewTitle title={base.fields.name} of={name}>
        <SaveButton
          isUnsaved={editing.isUnsaved}
          isSaving={editing.saving.isPending}
          isDisabled={editing.theirs !== null}
          onSave={save}
        />
        <DeletePart subdomain={subdomain} part={part} />
      </ViewTitle>
      {(isGone(error) || isGone(editing.saving.error)) && <Gone what="part" onKeep={keep} />}
      <PartEditor
        editing={editing}
        onSave={save}
        partId={part.id}
        newest={storedPart(part)}
        uses={part.used_by}
      >
        <UsedBy uses={part.used_by} />
      </PartEditor>
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
    </>
  )
}
