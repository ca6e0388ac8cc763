import type { AnyTRPCRouter } from '@trpc/server'
import { Router } from 'express'
import type { Core } from '../../routers/context.ts'
import { apis } from '../openapi/apis.ts'
import { describe } from '../openapi/describe.ts'
import { documentDoor } from '../openapi/prepared.ts'

/** What describes the APIs, for programs and for people; all of it is made once, when the process starts. */
export const referenceDoor = (router: AnyTRPCRouter, { addresses, calls }: Core): Router => {
  const { apiRoot, docsUrl } = addresses
  const descriptions = apis.map(api =>
    describe(router, api, { apiRoot, docsUrl, callsPerMinute: calls.limit }),
  )
  return Router().use(documentDoor(descriptions))
}
