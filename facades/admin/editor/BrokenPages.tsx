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
import type { Fields, Save, TemplateDraft } from './use-template-draft.ts'

type FailingPage = Outputs['delivery']['failingPages']['pages'][number]

interface BrokenPagesProps<F extends Fields> {
  what: 'page' | 'part'
  draft: TemplateDraft<F>
  /** Returns the name of a version of a part. */
  nameOf: (fields: F) => string
  /** Returns a function that moves the editor to a place; undefined if the place is in another page or part. */
  goTo: (place: TemplatePlace) => (() => void) | undefined
}

/** After a save, says on which pages visitors now see an error, leads to the places, and offers to undo the save. */
export const BrokenPages = <F extends Fields>({
  draft: { lastSave, undoing },
  ...props
}: BrokenPagesProps<F>) => lastSave && <PagesBrokenBy {...props} save={lastSave} undoing={undoing} />

interface PagesBrokenByProps<F extends Fields> extends Omit<BrokenPagesProps<F>, 'draft'> {
  save: Save<F>
  undoing: TemplateDraft<F>['undoing']
}

const PagesBrokenBy = <F extends Fields>({ what, save, undoing, nameOf, goTo }: PagesBrokenByProps<F>) => {
  const { subdomain } = useSpace()
  const { before, stored } = save
  const saved: Inputs['delivery']['failingPages']['saved'] =
    what === 'page'
      ? { page_id: stored.id! }
      : { part_names: [...new Set([nameOf(stored.fields), nameOf(before.fields)])].filter(Boolean) }
  // Refetched after each save, by `onSaved` of the editors.
  const { data } = useQuery(
    api.delivery.failingPages.queryOptions({ subdomain, saved }, { staleTime: 0, ...untilComplete }),
  )
  if (!data || data.pages.length === 0) return null
  return (
    <Alert color="red" mb="md" icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: '1 1 16rem', minWidth: 0 }}>
          <Text size="sm" fw={600}>
            Saved. Visitors now see an error on {placesOf(what, data.pages)}
          </Text>
          <List size="sm" listStyleType="none" mt={2}>
            {data.pages.map(page => (
              <List.Item key={page.id} style={{ overflowWrap: 'anywhere' }}>
                <Place {...page} isNamed={what === 'part'} onGoTo={goTo(page.error)} /> {page.error.message}
              </List.Item>
            ))}
          </List>
          <FormFailure error={undoing.error} />
        </div>
        {before.id !== null && (
          <Button
            size="compact-sm"
            variant="default"
            loading={undoing.isPending}
            onClick={() => undoing.mutate(save)}
          >
            Undo
          </Button>
        )}
      </Group>
    </Alert>
  )
}

const placesOf = (what: 'page' | 'part', pages: readonly FailingPage[]) =>
  what === 'page' ? 'this page.' : pages.length === 1 ? 'one page:' : `${pages.length} pages:`

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
