import { api, client, queries } from '../api.ts'
import { IconField } from '../icon/IconField.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'

export const Settings = () => {
  const { subdomain, name, icon_url } = useSpace()
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries(api.space.pathFilter()),
      queries.invalidateQueries(api.spaces.pathFilter()),
    ])
  return (
    <>
      <ViewTitle title="Settings" of={name} />
      <IconField
        name={name}
        url={icon_url}
        shape="square"
        description="Shown with your site and in lists of spaces."
        onSave={async png => {
          await client.spaces.setIcon.mutate({ subdomain, png })
          await refresh()
        }}
        onRemove={async () => {
          await client.spaces.removeIcon.mutate({ subdomain })
          await refresh()
        }}
      />
    </>
  )
}
