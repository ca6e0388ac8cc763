import { Text } from '@mantine/core'
import { api, client, type Outputs, queries } from '../api.ts'
import { DeleteButton } from '../editor/DeleteButton.tsx'
import { useSpace } from '../use-space.ts'
import { BrokenUses, countUses } from './UsedBy.tsx'

/** A button that deletes a part after confirmation. The dialog lists the pages and parts that would break. */
export const DeletePart = ({ part }: { part: Outputs['parts']['get'] }) => {
  const { subdomain } = useSpace()
  const users = countUses(part.used_by)
  return (
    <DeleteButton
      what="part"
      id={part.id}
      name={part.name}
      // Pages that use this part may have changed since the view was opened.
      onOpen={() => void queries.invalidateQueries(api.parts.get.pathFilter())}
      remove={() => client.parts.delete.mutate({ subdomain, part_id: part.id })}
      refresh={() => queries.invalidateQueries(api.parts.pathFilter())}
    >
      <Text size="sm">You can restore it from the history.</Text>
      {users && (
        <>
          <Text size="sm" mt="xs">
            {users} will show an error:
          </Text>
          <BrokenUses uses={part.used_by} />
        </>
      )}
    </DeleteButton>
  )
}
