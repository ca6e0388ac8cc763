import { audit } from './accounts/audit/router.ts'
import { links } from './accounts/links/router.ts'
import { me } from './accounts/me/router.ts'
import { passkeys } from './accounts/passkeys/router.ts'
import { recovery } from './accounts/recovery/router.ts'
import { accounts } from './accounts/router.ts'
import { sessions } from './accounts/sessions/router.ts'
import { router } from './api/trpc.ts'
import { records } from './content/data/records.ts'
import { data } from './content/data/router.ts'
import { editing } from './content/editing/router.ts'
import { edits } from './content/edits/router.ts'
import { files } from './content/files/router.ts'
import { history } from './content/history/router.ts'
import { pages } from './content/pages/router.ts'
import { parts } from './content/parts/router.ts'
import { previewLinks } from './content/preview-links/router.ts'
import { previews } from './content/previews/router.ts'
import { schedules } from './content/schedules/router.ts'
import { space } from './content/space-info/router.ts'
import { studio } from './content/studio/router.ts'
import { transfer } from './content/transfer/router.ts'
import { unsaved } from './content/unsaved/router.ts'
import { uploadLinks } from './content/upload-links/router.ts'
import { keys } from './credentials/keys/router.ts'
import { tokens } from './credentials/tokens/router.ts'
import { delivery } from './delivery/router.ts'
import { discussions } from './social/comments/discussions-router.ts'
import { comments } from './social/comments/router.ts'
import { follows } from './social/follows/router.ts'
import { likes } from './social/likes/router.ts'
import { mutes } from './social/mutes/router.ts'
import { notifications } from './social/notifications/router.ts'
import { postHistory } from './social/posts/history/router.ts'
import { posts } from './social/posts/router.ts'
import { unsavedPosts } from './social/posts/unsaved-router.ts'
import { writing } from './social/posts/writing-router.ts'
import { reports } from './social/reports/router.ts'
import { suspensions } from './social/suspensions/router.ts'
import { domains } from './spaces/domains/router.ts'
import { invites } from './spaces/invites/router.ts'
import { live } from './spaces/live/router.ts'
import { participants } from './spaces/participants/router.ts'
import { spaces } from './spaces/router.ts'
import { webhooks } from './spaces/webhooks/router.ts'
import { instance } from './visits/instance/router.ts'
import { visits } from './visits/router.ts'

/** Every procedure of the service: those of the Space API, of the User API, and of the dashboard only. */
export const appRouter = router({
  space,
  pages,
  parts,
  previews,
  previewLinks,
  schedules,
  editing,
  data,
  records,
  files,
  uploadLinks,
  history,
  studio,
  edits,
  me,
  posts,
  comments,
  discussions,
  likes,
  follows,
  mutes,
  accounts,
  audit,
  sessions,
  links,
  recovery,
  passkeys,
  spaces,
  participants,
  live,
  invites,
  domains,
  webhooks,
  keys,
  tokens,
  unsaved,
  unsavedPosts,
  writing,
  postHistory,
  reports,
  suspensions,
  notifications,
  transfer,
  delivery,
  visits,
  instance,
})

export type AppRouter = typeof appRouter
