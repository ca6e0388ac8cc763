import { z } from 'zod'
import { constantOf } from '../../core/constant.ts'
import { address } from '../../core/fields.ts'
import { line, lines } from '../../core/plain-text.ts'
import { userRules } from '../../core/rules.ts'
import { USER_SCOPES } from '../../core/scopes.ts'
import { handle } from '../schema.ts'

const { profile: rule } = userRules

/** A person as their own token sees them. */
export const Me = z
  .object({
    handle: z.string().meta({ description: 'Shown on posts and comments', examples: ['robin'] }),
    display_name: z
      .string()
      .nullable()
      .meta({ description: 'Null when unset; the handle is shown instead', examples: ['Robin Field'] }),
    icon_url: address.nullable().meta({
      description: `A PNG of ${rule.icon.width}×${rule.icon.height}; changes each time one is set; null when unset`,
      examples: ['https://api.example/_icons/k3v9x2m7q4t8w5z6.png'],
    }),
    bio: z
      .string()
      .nullable()
      .meta({ description: 'Plain text with line breaks; null when unset', examples: ['I grow beans.'] }),
    scopes: z.array(z.enum(USER_SCOPES)).meta({ description: 'What the calling token may do' }),
    rules: constantOf(userRules).meta({ id: 'UserRules', description: 'The limits that are enforced' }),
    rate_limit: z.object({
      requests_per_minute: z.int().meta({ description: 'Calls of one token in a minute', examples: [60] }),
    }),
  })
  .meta({ id: 'Account' })

export const MeChange = z
  .strictObject({
    handle: handle
      .meta({
        description:
          'Unique ignoring case; white space around it and a leading `@` are dropped. The old one is free at once for anybody',
      })
      .optional(),
    display_name: line({ max: rule.display_name.max_length })
      .nullable()
      .meta({ description: 'One line; null or nothing removes it. White space around it is removed first' })
      .optional(),
    bio: lines({ max: rule.bio.max_length })
      .nullable()
      .meta({
        description:
          'Plain text, line breaks allowed; null or nothing removes it. White space around it is removed first',
      })
      .optional(),
  })
  .meta({ examples: [{ display_name: 'Robin Field', bio: 'I grow beans.' }] })
