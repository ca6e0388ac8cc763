import { z } from 'zod'
import { inSpace } from '../../access/in-space.ts'
import { constantOf } from '../../core/constant.ts'
import { address, subdomain } from '../../core/fields.ts'
import { rules } from '../../core/rules.ts'
import { SPACE_SCOPES } from '../../core/scopes.ts'
import { router } from '../../core/trpc.ts'

const Space = z
  .object({
    subdomain: z.string().meta({ examples: ['garden'] }),
    name: z.string().meta({ examples: ['The Garden Club'] }),
    url: address.meta({ description: "The site's address", examples: ['https://garden.sites.example'] }),
    icon_url: address.nullable().meta({
      description: 'A PNG of 256×256 pixels; every new icon has another URL; null when unset',
      examples: ['https://api.example/_icons/c4h7r2w9k5n8v3x6.png'],
    }),
    scopes: z
      .array(z.enum(SPACE_SCOPES))
      .meta({ description: 'The permissions of the calling key', examples: [['pages', 'files']] }),
    rules: constantOf(rules).meta({ id: 'Rules', description: 'The limits that are enforced' }),
    rate_limit: z.object({
      requests_per_minute: z
        .int()
        .meta({ description: 'Calls that a key can make per minute', examples: [60] }),
    }),
  })
  .meta({ id: 'Space' })

export const space = router({
  get: inSpace()
    .meta({
      openapi: {
        operationId: 'getSpace',
        method: 'GET',
        path: '/spaces/{subdomain}',
        tags: ['Space'],
        summary: 'Read the space',
        description: 'The space, the permissions of the key, and the rules and limits that apply.',
      },
      tool: {
        name: 'get_space',
        description:
          'Call this first. Returns the address of the site, the scopes of your key, and the limits of all writes.',
      },
    })
    .input(z.strictObject({ subdomain }))
    .output(Space)
    .query(({ ctx }) => {
      const { addresses, calls } = ctx.core
      return {
        subdomain: ctx.space.subdomain,
        name: ctx.space.name,
        url: addresses.site(ctx.space.subdomain),
        icon_url: ctx.space.iconId ? addresses.icon(ctx.space.iconId) : null,
        scopes: [...ctx.scopes],
        rules,
        rate_limit: { requests_per_minute: calls.limit },
      }
    }),
})
