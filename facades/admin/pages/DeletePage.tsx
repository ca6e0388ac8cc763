import { api, client, type Outputs, queries } from '../api.ts'
import { DeleteButton } from '../editor/DeleteButton.tsx'
import { useSpace } from '../use-space.ts'

/** A button that deletes a page after confirmation. */
export const DeletePage = ({ page }: { page: Outputs['pages']['get'] }) => {
  const { subdomain } = useSpace()
  return (
    <DeleteButton
      what="page"
      id={page.id}
      name={page.slug}
      remove={() => client.pages.delete.mutate({ subdomain, page_id: page.id })}
      refresh={() => queries.invalidateQueries(api.pages.pathFilter())}
    >
      {page.url} stops working immediately. You can restore it from the history.
    </DeleteButton>
  )
}
