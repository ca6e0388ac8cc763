import { describe } from '../../facades/openapi/describe.ts'
import { apis } from '../../facades/shared/apis.ts'
import { creationLimits } from '../../routers/api/rules.ts'
import { appRouter } from '../../routers/index.ts'

/** The descriptions of both APIs, for a service at an example address. */
export const descriptions = apis.map(api =>
  describe(appRouter, api, {
    apiRoot: 'https://api.garden.test',
    docsUrl: 'https://docs.garden.test/reference',
    callsPerMinute: 60,
    creationLimits,
  }),
)
