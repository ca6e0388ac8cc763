import { accounts } from './accounts/router.ts'
import { data } from './data/router.ts'
import { files } from './files/router.ts'
import { invites } from './invites/router.ts'
import { keys } from './keys/router.ts'
import { pages } from './pages/router.ts'
import { participants } from './participants/router.ts'
import { parts } from './parts/router.ts'
import { sessions } from './sessions/router.ts'
import { space } from './space/router.ts'
import { spaces } from './spaces/router.ts'
import { router } from './trpc.ts'

/** Every procedure of the service: the Space API's, and the screen's own. */
export const appRouter = router({
  space,
  pages,
  parts,
  data,
  files,
  accounts,
  sessions,
  spaces,
  participants,
  invites,
  keys,
})

export type AppRouter = typeof appRouter
