import { data } from './data/router.ts'
import { files } from './files/router.ts'
import { pages } from './pages/router.ts'
import { parts } from './parts/router.ts'
import { space } from './space/router.ts'
import { router } from './trpc.ts'

/** Every operation of the service. */
export const appRouter = router({ space, pages, parts, data, files })

export type AppRouter = typeof appRouter
