import { Alert, Anchor, Button, Group, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { positionText } from '../../shared/review-sentences.ts'
import { api, type Inputs, type Outputs } from '../api.ts'
import { untilComplete } from '../pages/until-complete.ts'
import type { TemplatePlace } from '../preview/use-preview.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { useSpace } from '../use-space.ts'
import type { Fields, TemplateDraft } from './use-template-draft.ts'

type FailingPage = Outputs['delivery']['failingPages']['pages'][number]

type Saved = NonNullable<Inputs['delivery']['failingPages']['saved']>

/** Returns a function that moves the editor to a place; undefined if the place is in another item. */
type GoTo = (place: TemplatePlace) => (() => void) | undefined

interface BrokenPagesProps<F extends Fields> {
  what: 'page' | 'part'
  draft: TemplateDraft<F>
  /** Returns the name of a version of a part. */
  nameOf: (fields: F) => string
  goTo: GoTo
}

/** After a save of a page or part, says on which pages visitors now see an error. */
export const BrokenPages = <F extends Fields>({
  what,
  draft: { lastSave, undoing },
  nameOf,
  goTo,
}: BrokenPagesProps<F>) => {
  if (!lastSave) return null
  const { before, stored } = lastSave
  const saved: Saved =
    what === 'page'
      ? { page_id: stored.id! }
      : { part_names: [...new Set([nameOf(stored.fields), nameOf(before.fields)])].filter(Boolean) }
  const undo = before.id === null ? undefined : () => undoing.mutate(lastSave)
  return <PagesBrokenBy saved={saved} goTo={goTo} undo={undo} undoing={undoing} />
}

interface PagesBrokenByProps {
  saved: Saved
  goTo: GoTo
  /** Stores the version before the save again; undefined if there was none. */
  undo: (() => void) | undefined
  undoing: { error: unknown; isPending: boolean }
}

/** Says on which pages visitors see an error after a save, leads to the places, and offers to undo the save. */
export const PagesBrokenBy = ({ saved, goTo, undo, undoing }: PagesBrokenByProps) => {
  const { subdomain } = useSpace()
  // Refetched after each save, by `onSaved` of the editors.
  const { data } = useQuery(
    api.delivery.failingPages.queryOptions({ subdomain, saved }, { staleTime: 0, ...untilComplete }),
  )
  if (!data || data.pages.length === 0) return null
  const isPage = 'page_id' in saved
  return (
    <Alert color="red" mb="md" icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: '1 1 16rem', minWidth: 0 }}>
          <Text size="sm" fw={600}>
            Saved. Visitors now see an error on {placesOf(isPage, data.pages)}
          </Text>
          <List size="sm" listStyleType="none" mt={2}>
            {data.pages.map(page => (
              <List.Item key={page.id} style={{ overflowWrap: 'anywhere' }}>
                <Place {...page} isNamed={!isPage} onGoTo={goTo(page.error)} /> {page.error.message}
              </List.Item>
            ))}
          </List>
          <FormFailure error={undoing.error} />
        </div>
        {undo && (
          <Button size="compact-sm" variant="default" loading={undoing.isPending} onClick={undo}>
            Undo
          </Button>
        )}
      </Group>
    </Alert>
  )
}

const placesOf = (isPage: boolean, pages: readonly FailingPage[]) =>
  isPage ? 'this page.' : pages.length === 1 ? 'one page:' : `${pages.length} pages:`

interface PlaceProps extends FailingPage {
  /** Whether the page is another one than the edited item. */
  isNamed: boolean
  onGoTo: (() => void) | undefined
}

/** A failing page and where its error is, with a way there. */
const Place = ({ id, slug, error, isNamed, onGoTo }: PlaceProps) => {
  const { subdomain } = useSpace()
  const position = positionText(error)
  return (
    <>
      {isNamed && (
        <>
          <TextLink
            size="sm"
            c="inherit"
            to="/spaces/$subdomain/pages/$pageId"
            params={{ subdomain, pageId: id }}
          >
            {slug}
          </TextLink>
          :{' '}
        </>
      )}
      {onGoTo ? (
        <Anchor component="button" type="button" size="sm" c="inherit" underline="always" onClick={onGoTo}>
          {position}
        </Anchor>
      ) : (
        position
      )}
      :
    </>
  )
}
