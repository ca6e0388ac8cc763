import { accounts } from './accounts/router.ts'
import { comments } from './comments/router.ts'
import { records } from './data/records.ts'
import { data } from './data/router.ts'
import { files } from './files/router.ts'
import { invites } from './invites/router.ts'
import { keys } from './keys/router.ts'
import { likes } from './likes/router.ts'
import { links } from './links/router.ts'
import { me } from './me/router.ts'
import { pages } from './pages/router.ts'
import { participants } from './participants/router.ts'
import { parts } from './parts/router.ts'
import { passkeys } from './passkeys/router.ts'
import { drafts } from './posts/drafts.ts'
import { posts } from './posts/router.ts'
import { writing } from './posts/writing.ts'
import { previews } from './previews/router.ts'
import { recovery } from './recovery/router.ts'
import { reports } from './reports/router.ts'
import { sessions } from './sessions/router.ts'
import { space } from './space/router.ts'
import { spaces } from './spaces/router.ts'
import { templates } from './templates/router.ts'
import { tokens } from './tokens/router.ts'
import { router } from './trpc.ts'

/** Every procedure of the service: the Space API's, the User API's, and the screen's own. */
export const appRouter = router({
  space,
  pages,
  parts,
  previews,
  templates,
  data,
  records,
  files,
  me,
  posts,
  comments,
  likes,
  accounts,
  sessions,
  links,
  recovery,
  passkeys,
  spaces,
  participants,
  invites,
  keys,
  tokens,
  drafts,
  writing,
  reports,
})

export type AppRouter = typeof appRouter
