import { apis } from '../../facades/openapi/apis.ts'
import { describe } from '../../facades/openapi/describe.ts'
import { appRouter } from '../../routers/index.ts'

/** Every API as a service at some address describes it. */
export const descriptions = apis.map(api =>
  describe(appRouter, api, {
    apiRoot: 'https://api.garden.test',
    docsUrl: 'https://docs.garden.test/reference',
    callsPerMinute: 60,
  }),
)
