import { z } from 'zod'
import { address, constantOf, handle, line, lines } from '../../api/fields.ts'
import { userRules } from '../../api/rules.ts'
import { USER_SCOPES } from '../../api/scopes.ts'

const { profile: rule } = userRules

/** An account as its own token sees it. */
export const Me = z
  .object({
    handle: z.string().meta({ description: 'Shown on posts and comments', examples: ['robin'] }),
    display_name: z
      .string()
      .nullable()
      .meta({ description: 'Null when unset; the handle is shown instead', examples: ['Robin Field'] }),
    icon_url: address.nullable().meta({
      description: `A PNG of ${rule.icon.width}×${rule.icon.height} pixels; the URL changes with every new picture; null when unset`,
      examples: ['https://api.example/_icons/k3v9x2m7q4t8w5z6.png'],
    }),
    bio: z
      .string()
      .nullable()
      .meta({ description: 'Plain text with line breaks; null when unset', examples: ['I grow beans.'] }),
    scopes: z
      .array(z.enum(USER_SCOPES))
      .meta({ description: 'The scopes of the calling token', examples: [['posts', 'profile']] }),
    rules: constantOf(userRules).meta({ id: 'UserRules', description: 'The limits in force' }),
    rate_limit: z.object({
      requests_per_minute: z
        .int()
        .meta({ description: 'Calls that a token can make per minute', examples: [60] }),
    }),
  })
  .meta({ id: 'Account' })

export const MeChange = z
  .strictObject({
    handle: handle
      .meta({ description: 'Without `@`; unique ignoring case. The old handle becomes free immediately' })
      .optional(),
    display_name: line({ max: rule.display_name.max_length })
      .nullable()
      .meta({
        description:
          'One line with at least one visible character; null or an empty string removes it. Surrounding white space is removed first',
      })
      .optional(),
    bio: lines({ max: rule.bio.max_length })
      .nullable()
      .meta({
        description:
          'Plain text with line breaks; null or an empty string removes it. Surrounding white space is removed first',
      })
      .optional(),
  })
  .meta({ examples: [{ display_name: 'Robin Field', bio: 'I grow beans.' }] })
