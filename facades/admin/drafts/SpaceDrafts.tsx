import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { DraftList, type ListedDraft } from './DraftList.tsx'

interface SpaceDraftsProps {
  subdomain: string
  kind: 'page' | 'part' | 'record'
}

/** Your unsaved changes to items of one kind in a space. */
export const SpaceDrafts = ({ subdomain, kind }: SpaceDraftsProps) => {
  const { data } = useQuery(api.unsaved.list.queryOptions({ subdomain }))
  const drafts = data?.drafts.filter(draft => draft.kind === kind) ?? []
  return <DraftList subdomain={subdomain} kind={kind} drafts={drafts} linkTo={LINKS[kind](subdomain)} />
}

type Link = (subdomain: string) => (draft: ListedDraft, text: string) => React.ReactNode

const LINKS: Record<SpaceDraftsProps['kind'], Link> = {
  page:
    subdomain =>
    ({ thing, is_new }, text) =>
      is_new ? (
        <TextLink to="/spaces/$subdomain/new-page" params={{ subdomain }} search={{ draft: thing }}>
          {text}
        </TextLink>
      ) : (
        <TextLink to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: thing }}>
          {text}
        </TextLink>
      ),
  part:
    subdomain =>
    ({ thing, is_new }, text) =>
      is_new ? (
        <TextLink to="/spaces/$subdomain/new-part" params={{ subdomain }} search={{ draft: thing }}>
          {text}
        </TextLink>
      ) : (
        <TextLink to="/spaces/$subdomain/parts/$partId" params={{ subdomain, partId: thing }}>
          {text}
        </TextLink>
      ),
  record:
    subdomain =>
    ({ thing, is_new }, text) =>
      is_new ? (
        <TextLink to="/spaces/$subdomain/new-record" params={{ subdomain }} search={{ draft: thing }}>
          {text}
        </TextLink>
      ) : (
        <TextLink to="/spaces/$subdomain/data/$key" params={{ subdomain, key: thing }}>
          {text}
        </TextLink>
      ),
}
