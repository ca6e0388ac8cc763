import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import picture from '../../shared/illustrations/not-found.svg?raw'
import { api, queryClient, rpc } from '../api.ts'
import { Snippet } from '../ui/CopyButton.tsx'
import { Empty } from '../ui/Empty.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { useSpace } from '../use-space.ts'

/** A quiet look that suits any text, with enough contrast. */
const FIRST_LOOK = {
  colors: { background: '#ffffff', text: '#1c1b1a', soft: '#5f5b57', accent: '#0b5d8a' },
  dark_colors: { background: '#161514', text: '#eeeae6', soft: '#a8a29c', accent: '#7cc4f0' },
  fonts: { headings: '', text: 'system-ui, sans-serif' },
  logo: '',
  corners: 6,
  width: 40,
  spacing: 1,
}

/** How the style of a layout reads a look. */
const STYLE = `<style>
:root { {% for color in data.look.colors %}--{{ color[0] }}: {{ color[1] }}; {% endfor %}--width: {{ data.look.width }}rem; }
@media (prefers-color-scheme: dark) { :root { {% for color in data.look.dark_colors %}--{{ color[0] }}: {{ color[1] }}; {% endfor %}} }
body { background: var(--background); color: var(--text); font-family: {{ data.look.fonts.text }}; }
main { max-width: var(--width); margin: auto; }
a { color: var(--accent); }
</style>`

/** Shown while a space has no look: creates one, and says how the site's layout uses it. */
export const NoLook = () => {
  const { subdomain } = useSpace()
  const creating = useMutation({
    mutationFn: () =>
      rpc.records.create.mutate({
        subdomain,
        key: 'look',
        value: FIRST_LOOK,
        description: 'Colors, fonts, logo and spacing of all pages. Change them in the view Look.',
      }),
    onSuccess: record => {
      queryClient.setQueryData(api.data.get.queryKey({ subdomain, key: record.key }), record)
      void queryClient.invalidateQueries(api.records.pathFilter())
    },
  })
  return (
    <Empty
      picture={picture}
      title="This site has no look yet"
      text="A look is the record “look”: colors, fonts, logo and spacing in one place. Sites from a starter have one. For a site of your own, create it and let the style of your layout read it:"
    >
      <Stack w="100%" ta="left">
        <Snippet label="Liquid for the layout" text={STYLE} />
        <FormFailure error={creating.error} />
      </Stack>
      <Button onClick={() => creating.mutate()} loading={creating.isPending}>
        Create the look
      </Button>
      <Text size="sm" c="dimmed">
        Nothing changes for visitors until a page reads it.
      </Text>
    </Empty>
  )
}
