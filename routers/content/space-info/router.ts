import { z } from 'zod'
import { newId } from '../../../db/id.ts'
import { removeSpaceIcon, setSpaceIcon } from '../../../db/queries/icons.ts'
import { updateSpaceName } from '../../../db/queries/spaces.ts'
import { requireScope } from '../../api/credential.ts'
import { address, atLeastOneOf, constantOf, spaceName, subdomain } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { limits, rules } from '../../api/rules.ts'
import { SETTING_SCOPES, SPACE_SCOPES } from '../../api/scopes.ts'
import { router } from '../../api/trpc.ts'
import { iconFrom, png } from '../icons/schema.ts'

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

  update: inSpace(...SETTING_SCOPES)
    .meta({
      needsEveryScope: true,
      ownersOnly: true,
      bodyLimit: limits.iconBody,
      tool: {
        name: 'update_space',
        title: 'Change the name or icon of the space',
        description:
          'Changes the name of the site, its icon, or both. Templates read the name as space.name; lists and browser tabs show the icon. Needs a key with the scopes pages, data and files_write.',
      },
    })
    .input(
      atLeastOneOf(
        z.strictObject({
          subdomain,
          name: spaceName.optional().meta({ description: 'The new name of the site' }),
          png: png
            .nullable()
            .optional()
            .meta({
              description: `The new icon: a PNG of exactly ${limits.iconSide}×${limits.iconSide} pixels and at most ${limits.iconBytes} bytes, as base64; null removes the icon`,
            }),
        }),
        ['name', 'png'],
      ),
    )
    .output(Space.pick({ subdomain: true, name: true, url: true, icon_url: true }))
    .mutation(async ({ ctx, input }) => {
      for (const scope of SETTING_SCOPES) requireScope(ctx.scopes, [scope])
      const { name = ctx.space.name } = input
      const icon = input.png == null ? null : { id: newId(), png: await iconFrom(input.png) }
      await ctx.write(async write => {
        if (input.name !== undefined) await updateSpaceName(write, input.name)
        if (icon) await setSpaceIcon(write, icon)
        else if (input.png === null) await removeSpaceIcon(write)
      })
      const iconId = input.png === undefined ? ctx.space.iconId : (icon?.id ?? null)
      const { addresses } = ctx.core
      return {
        subdomain: ctx.space.subdomain,
        name,
        url: addresses.site(ctx.space.subdomain),
        icon_url: iconId ? addresses.icon(iconId) : null,
      }
    }),
})
